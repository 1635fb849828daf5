import { MOST_CALLS_AT_ONCE, workersOfWorkspace } from '../../functions/fair-shares.ts';
import type { HotRow } from './hot-rows.ts';

/** What one job uses, measured. */
export interface JobCost {
  readonly requests: number;
  /** Messages for each program. */
  readonly messages: Readonly<Record<'submitter' | 'poller' | 'copier' | 'deliverer', number>>;
  /** Of DynamoDB. */
  readonly reads: number;
  /** Steps that move the job in the index of the sweepers, which takes two write units there. */
  readonly moves: number;
  /** DynamoDB write units for each table. */
  readonly writeUnits: ReadonlyMap<string, number>;
  /** Of its functions' own lines. */
  readonly logBytes: number;
  readonly rows: readonly HotRow[];
}

export interface Limit {
  readonly name: string;
  /** In jobs a second. */
  readonly reachedAt: number;
  /** The limit holds for one workspace, not for the deployment. */
  readonly isOfWorkspace?: boolean;
  readonly raise: string;
}

/**
 * Assumed, because they depend on others: seconds for one exchange with a provider, one copy of a result of 20 MB or of
 * 1 MiB (an exchange, and a fetch and a PUT of 0.3 s each), one webhook.
 */
export const ASSUMED = { poll: 0.6, copy: 4, smallCopy: 1.2, webhook: 0.3, accept: 0.1 } as const;

/** As set in the event source mappings. */
export const BATCH = 10;
export const { poll: CALLS_AT_ONCE, submit: SUBMITS_AT_ONCE } = MOST_CALLS_AT_ONCE;
/** Of its calls at once a poller does nine tenths, as `bench/poller.ts` measures. Assumed: a busy submitter too. */
const OF_CALLS_AT_ONCE = 0.9;
/** Of one poller. */
const STEPS_A_SECOND = (OF_CALLS_AT_ONCE * CALLS_AT_ONCE) / ASSUMED.poll;
/** The default of the settings; see `docs/configuration.md`. */
const CONSUMERS = 50;
/** As set in `functions/sweeping/sparse-index.ts`. */
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

/** At 20 transactions a second on one row none is refused; at 40, one in 80 is. See `docs/decisions/028-leases.md`. */
const SUBMITS_OF_A_ROW = 20;

const told = (count: number): string => count.toLocaleString('en');

/** How long a submitter runs for one job where it gets whole batches. */
export const BUSY_SUBMIT = ASSUMED.poll / (OF_CALLS_AT_ONCE * SUBMITS_AT_ONCE);

/** How many seconds each function runs for one job. */
export const secondsOf = ({ requests, messages }: JobCost) => ({
  acceptor: requests * ASSUMED.accept,
  submitter: messages.submitter * ASSUMED.poll,
  poller: messages.poller / STEPS_A_SECOND,
  copier: messages.copier * ASSUMED.copy,
  deliverer: (messages.deliverer * ASSUMED.webhook) / BATCH,
});

const secondsOfAll = (cost: JobCost): number =>
  Object.values(secondsOf(cost)).reduce((sum, seconds) => sum + seconds, 0);

/** Every limit that a job can meet, the lowest first. */
export function limitsOf(costs: JobCost): Limit[] {
  const limits = [...ofConsumers(costs), ...ofDynamo(costs), ...ofAccount(costs), ...costs.rows.map(ofRow)];
  return limits.sort((one, other) => one.reachedAt - other.reachedAt);
}

const ofConsumers = ({ messages }: JobCost): Limit[] => [
  {
    name: `submitters: \`submitterConcurrency\` ${CONSUMERS}, one call each in a quiet stage`,
    reachedAt: CONSUMERS / (messages.submitter * ASSUMED.poll),
    raise: 'the setting, up to 1,000',
  },
  {
    name: `a workspace’s submitters: ${workersOfWorkspace(CONSUMERS)} of ${CONSUMERS}, one call each`,
    reachedAt: workersOfWorkspace(CONSUMERS) / (messages.submitter * ASSUMED.poll),
    isOfWorkspace: true,
    raise: 'the same setting',
  },
  {
    name: `copiers: \`copierConcurrency\` ${CONSUMERS}, one result each`,
    reachedAt: CONSUMERS / (messages.copier * ASSUMED.copy),
    raise: 'the setting, up to 1,000; with it the account’s Lambda concurrency',
  },
  {
    name: `pollers: \`pollerConcurrency\` ${CONSUMERS}, ${CALLS_AT_ONCE} calls at once each`,
    reachedAt: (CONSUMERS * STEPS_A_SECOND) / messages.poller,
    raise: 'the setting, up to 1,000',
  },
  {
    name: `deliverers: \`delivererConcurrency\` ${CONSUMERS}, batches of ${BATCH}`,
    reachedAt: (CONSUMERS * BATCH) / (messages.deliverer * ASSUMED.webhook),
    raise: 'the setting, up to 1,000',
  },
];

function ofDynamo({ moves, writeUnits }: JobCost): Limit[] {
  const [table, units] = [...writeUnits].reduce((most, each) => (each[1] > most[1] ? each : most));
  return [
    {
      name: `a new DynamoDB table: ${told(QUOTA.newTableUnits)} write units a second until its load has grown (\`${table}\`)`,
      reachedAt: QUOTA.newTableUnits / units,
      raise: 'its limit doubles within half an hour of growing load; or set warm throughput in advance',
    },
    {
      name: `a DynamoDB table: ${told(QUOTA.tableUnits)} write units a second (\`${table}\`)`,
      reachedAt: QUOTA.tableUnits / units,
      raise: 'the quota of the table (Service Quotas)',
    },
    {
      name: `the index of the sweepers: ${SHARDS} partitions of ${told(QUOTA.partitionUnits)} write units a second`,
      reachedAt: (SHARDS * QUOTA.partitionUnits) / (moves * 2),
      raise: '`SHARDS` in `functions/sweeping/sparse-index.ts`; a row moves when it is next written',
    },
  ];
}

const ofAccount = (costs: JobCost): Limit[] => [
  {
    name: `Lambda: ${told(QUOTA.lambdaConcurrency)} runs at once in the account`,
    reachedAt: QUOTA.lambdaConcurrency / secondsOfAll(costs),
    raise: 'the quota (Service Quotas; AWS grants tens of thousands)',
  },
  {
    name: `API Gateway: ${told(QUOTA.gatewayRequests)} requests a second in the account, one submit a job`,
    reachedAt: QUOTA.gatewayRequests / costs.requests,
    raise: 'the quota',
  },
  {
    name: `SQS: ${told(QUOTA.inFlight)} messages of a queue in flight; delayed messages do not count`,
    reachedAt: QUOTA.inFlight / (costs.messages.poller * 2 * ASSUMED.poll),
    raise: 'more queues; the limit is fixed',
  },
  {
    name: `S3: ${told(QUOTA.prefixPuts)} PUTs a second for one prefix; each workspace has its own`,
    reachedAt: QUOTA.prefixPuts / costs.messages.copier,
    isOfWorkspace: true,
    raise: 'nothing to do: S3 splits a busy prefix automatically',
  },
];

const ROWS = [
  ['Accounts key', 'the account of a key'],
  ['Accounts workspace', 'the account of a workspace'],
  ['Accounts lease#', 'the credits that a workspace has borrowed'],
  ['Accounts activity', 'the activity row of a day, key and model'],
  ['Buckets', 'the rate limit of a key'],
  ['Webhooks-Hosts LANE', 'the lane of a workspace’s webhooks'],
  ['Videos-Shares submits', 'the share of a workspace’s submits'],
  ['Routing-Figures', 'the figures of an endpoint'],
] as const;

function ofRow({ row, units, transactions }: HotRow): Limit {
  const isOfWorkspace = !row.startsWith('Routing-Figures');
  const [, name] = ROWS.find(([begin]) => row.startsWith(begin)) ?? [row, row];
  return transactions > 1
    ? {
        name: `${name}: ${transactions} transactions a job, which conflict with each other`,
        reachedAt: SUBMITS_OF_A_ROW,
        isOfWorkspace,
        raise: 'a design with several rows for one account; until then several workspaces',
      }
    : {
        name: `${name}: ${units} write unit${units === 1 ? '' : 's'} a job; one row takes ${told(QUOTA.partitionUnits)} a second`,
        reachedAt: QUOTA.partitionUnits / units,
        isOfWorkspace,
        raise: isOfWorkspace ? 'several keys, several workspaces' : 'write the figures in batches',
      };
}
