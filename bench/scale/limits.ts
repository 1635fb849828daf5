import type { HotRow } from './hot-rows.ts';

/** What a job takes, measured. */
export interface JobCost {
  readonly requests: number;
  /** Messages, by the program that they are for. */
  readonly messages: { readonly poller: number; readonly copier: number; readonly deliverer: number };
  /** DynamoDB's write units, by table. */
  readonly writeUnits: ReadonlyMap<string, number>;
  readonly rows: readonly HotRow[];
}

export interface Limit {
  readonly name: string;
  /** In jobs a second. */
  readonly reachedAt: number;
  /** Of one workspace, not of the deployment. */
  readonly isOfWorkspace?: boolean;
  readonly raise: string;
}

/** Assumed, as they are the world's and not ours: seconds of one exchange with a provider, of a copy, of a webhook. */
export const ASSUMED = { poll: 0.6, copy: 4, webhook: 0.3, submit: 0.1 } as const;

/** Of `functions/videos/worker/provider-gate.ts` and of the event source mappings. */
const CALLS_AT_ONCE = 6;
const BATCH = 10;
/** The settings of a stage unless it says otherwise, `docs/configuration.md`. */
const CONSUMERS = 50;
/** Of `functions/sweeping/sparse-index.ts`. */
const SHARDS = 8;

/** Quotas of a new account in us-east-1, from AWS's pages on quotas, November 2026. */
const QUOTA = {
  gatewayRequests: 10_000,
  lambdaConcurrency: 1_000,
  tableUnits: 40_000,
  newTableUnits: 4_000,
  partitionUnits: 1_000,
  inFlight: 120_000,
  prefixPuts: 3_500,
} as const;

/** At twenty transactions a second on one row none is refused, at forty one in eighty: `docs/decisions/028-leases.md`. */
const SUBMITS_OF_A_ROW = 20;

const told = (count: number): string => count.toLocaleString('en');

/** Seconds that functions run for a job. */
export const functionSeconds = ({ requests, messages }: JobCost): number =>
  requests * ASSUMED.submit +
  (messages.poller * ASSUMED.poll) / CALLS_AT_ONCE +
  messages.copier * ASSUMED.copy +
  (messages.deliverer * ASSUMED.webhook) / BATCH;

/** Every limit on the way of a job, the lowest first. */
export function limitsOf(costs: JobCost): Limit[] {
  const limits = [...ofConsumers(costs), ...ofDynamo(costs), ...ofAccount(costs), ...costs.rows.map(ofRow)];
  return limits.sort((one, other) => one.reachedAt - other.reachedAt);
}

const ofConsumers = ({ messages }: JobCost): Limit[] => [
  {
    name: `copiers: \`copierConcurrency\` ${CONSUMERS}, one result each`,
    reachedAt: CONSUMERS / (messages.copier * ASSUMED.copy),
    raise: 'the setting, up to 1,000; with it the account’s Lambda concurrency',
  },
  {
    name: `pollers: \`pollerConcurrency\` ${CONSUMERS}, ${CALLS_AT_ONCE} calls at once each`,
    reachedAt: (CONSUMERS * CALLS_AT_ONCE) / (messages.poller * ASSUMED.poll),
    raise: 'the setting, up to 1,000',
  },
  {
    name: `deliverers: \`delivererConcurrency\` ${CONSUMERS}, batches of ${BATCH}`,
    reachedAt: (CONSUMERS * BATCH) / (messages.deliverer * ASSUMED.webhook),
    raise: 'the setting, up to 1,000',
  },
];

function ofDynamo({ messages, writeUnits }: JobCost): Limit[] {
  const [table, units] = [...writeUnits].reduce((most, each) => (each[1] > most[1] ? each : most));
  return [
    {
      name: `a new table of DynamoDB: ${told(QUOTA.newTableUnits)} write units a second until it has had more (\`${table}\`)`,
      reachedAt: QUOTA.newTableUnits / units,
      raise: 'nothing: it doubles within half an hour of growing use; or warm throughput set before the day',
    },
    {
      name: `a table of DynamoDB: ${told(QUOTA.tableUnits)} write units a second (\`${table}\`)`,
      reachedAt: QUOTA.tableUnits / units,
      raise: 'the quota of the table (Service Quotas)',
    },
    {
      name: `the index of the sweepers: ${SHARDS} partitions of ${told(QUOTA.partitionUnits)} write units a second`,
      reachedAt: (SHARDS * QUOTA.partitionUnits) / ((messages.poller + messages.copier) * 2),
      raise: '`SHARDS` in `functions/sweeping/sparse-index.ts`; rows move as they are written',
    },
  ];
}

const ofAccount = (costs: JobCost): Limit[] => [
  {
    name: `Lambda: ${told(QUOTA.lambdaConcurrency)} runs at once in the account`,
    reachedAt: QUOTA.lambdaConcurrency / functionSeconds(costs),
    raise: 'the quota (Service Quotas; tens of thousands are given)',
  },
  {
    name: `API Gateway: ${told(QUOTA.gatewayRequests)} requests a second in the account, one submit a job`,
    reachedAt: QUOTA.gatewayRequests / costs.requests,
    raise: 'the quota',
  },
  {
    name: `SQS: ${told(QUOTA.inFlight)} messages of a queue in flight; those that wait are delayed and do not count`,
    reachedAt: QUOTA.inFlight / (costs.messages.poller * 2 * ASSUMED.poll),
    raise: 'nothing: more queues',
  },
  {
    name: `S3: ${told(QUOTA.prefixPuts)} PUTs a second below one prefix, which is a workspace`,
    reachedAt: QUOTA.prefixPuts / costs.messages.copier,
    isOfWorkspace: true,
    raise: 'nothing: S3 splits a busy prefix by itself',
  },
];

const ROWS = [
  ['Accounts key', 'the account of a key'],
  ['Accounts workspace', 'the account of a workspace'],
  ['Accounts lease#', 'the credits that a workspace has borrowed'],
  ['Accounts activity', 'the activity of a day, key and model'],
  ['Buckets', 'the rate limit of a key'],
  ['Webhooks-Hosts LANE', 'the lane of a workspace’s webhooks'],
  ['Routing-Figures', 'the figures of an endpoint'],
] as const;

function ofRow({ row, units, transactions }: HotRow): Limit {
  const isOfWorkspace = !row.startsWith('Routing-Figures');
  const [, name] = ROWS.find(([begin]) => row.startsWith(begin)) ?? [row, row];
  return transactions > 1
    ? {
        name: `${name}: ${transactions} transactions a job, which meet each other`,
        reachedAt: SUBMITS_OF_A_ROW,
        isOfWorkspace,
        raise: 'several rows for one account; until then several workspaces',
      }
    : {
        name: `${name}: ${units} write unit${units === 1 ? '' : 's'} a job of ${told(QUOTA.partitionUnits)} a second`,
        reachedAt: QUOTA.partitionUnits / units,
        isOfWorkspace,
        raise: isOfWorkspace ? 'several keys, several workspaces' : 'figures noted by the batch',
      };
}
