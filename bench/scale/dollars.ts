import { priceIn, type Region } from '../../bin/deploy/prices.ts';
import { SUBMITTER_MEMORY, USUAL_MEMORY } from '../../lib/constructs/function-defaults.ts';
import { ASSUMED, BATCH, BUSY_SUBMIT, type JobCost, SUBMITS_AT_ONCE, secondsOf } from './limits.ts';

/** The megabytes that each function has. */
export const MEMORY = {
  acceptor: USUAL_MEMORY,
  submitter: SUBMITTER_MEMORY,
  poller: USUAL_MEMORY,
  copier: USUAL_MEMORY,
  deliverer: USUAL_MEMORY,
} as const;

/** What Lambda itself writes about a run: START, END and REPORT. */
const BYTES_OF_RUN = 400;

/** How jobs come. */
export interface Load {
  /** How many messages a consumer gets at once. Copiers always get one, and submitters six at most. */
  readonly batch: 1 | typeof BATCH;
  /** How long a copy of a result takes. */
  readonly copySeconds: number;
}

export const LOADS = {
  'busy, results of 1 MiB': { batch: BATCH, copySeconds: ASSUMED.smallCopy },
  'busy, results of 20 MB': { batch: BATCH, copySeconds: ASSUMED.copy },
  'one message at a time, 20 MB': { batch: 1, copySeconds: ASSUMED.copy },
} as const satisfies Record<string, Load>;

/** What a million jobs cost. A message is sent alone, and received and deleted with the others of its batch. */
export function dollarsOf(cost: JobCost, load: Load, region: Region): (readonly [string, number])[] {
  const price = (name: Parameters<typeof priceIn>[1]) => priceIn(region, name);
  const { copier, submitter, ...batched } = cost.messages;
  const submits = submitter / Math.min(load.batch, SUBMITS_AT_ONCE);
  const batches = copier + submits + sum(Object.values(batched)) / load.batch;
  const runs = cost.requests + batches;
  const bytes = cost.logBytes + runs * BYTES_OF_RUN;
  const parts: (readonly [string, number])[] = [
    ['DynamoDB, writes', sum([...cost.writeUnits.values()]) * price('writes')],
    ['DynamoDB, reads', cost.reads * price('reads')],
    ['SQS', (sum(Object.values(cost.messages)) + 2 * batches) * price('messages')],
    ['Lambda, runs', runs * price('runs')],
    ['Lambda, time', gigabyteSeconds(cost, load) * price('seconds')],
    ['API Gateway', cost.requests * price('requests')],
    ['S3', cost.messages.copier * price('puts')],
    ['logs', (bytes / 1000) * price('logs')],
  ];
  return [...parts, ['in all', sum(parts.map(([, dollars]) => dollars))]];
}

function gigabyteSeconds(cost: JobCost, { batch, copySeconds }: Load): number {
  const { acceptor, submitter, poller, deliverer } = secondsOf(cost);
  const { messages } = cost;
  const alone = batch === 1;
  const megabyteSeconds =
    acceptor * MEMORY.acceptor +
    (alone ? submitter : messages.submitter * BUSY_SUBMIT) * MEMORY.submitter +
    (alone ? messages.poller * ASSUMED.poll : poller) * MEMORY.poller +
    messages.copier * copySeconds * MEMORY.copier +
    (alone ? messages.deliverer * ASSUMED.webhook : deliverer) * MEMORY.deliverer;
  return megabyteSeconds / 1024;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
