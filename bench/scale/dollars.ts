import { USUAL_MEMORY, VIDEO_WORKER_MEMORY } from '../../lib/constructs/function-defaults.ts';
import { type JobCost, secondsOf } from './limits.ts';

/** USD in us-east-1 for a million, November 2026; a second is of one gigabyte of memory on ARM. */
const PRICES = {
  writeUnit: 0.625,
  readUnit: 0.125,
  message: 0.4,
  run: 0.2,
  second: 13.3334,
  request: 3.5,
  put: 5,
} as const;

/** The megabytes that each function has. */
export const MEMORY = {
  acceptor: USUAL_MEMORY,
  submitter: VIDEO_WORKER_MEMORY,
  poller: VIDEO_WORKER_MEMORY,
  copier: VIDEO_WORKER_MEMORY,
  deliverer: USUAL_MEMORY,
} as const;

/** What a million jobs cost in a quiet stage: a busy queue sends messages in batches of ten, which costs less. */
export function dollarsOf(cost: JobCost): (readonly [string, number])[] {
  const messages = sum(Object.values(cost.messages));
  const parts: (readonly [string, number])[] = [
    ['DynamoDB, writes', sum([...cost.writeUnits.values()]) * PRICES.writeUnit],
    ['DynamoDB, reads', cost.reads * PRICES.readUnit],
    ['SQS: sent, received and deleted', 3 * messages * PRICES.message],
    ['Lambda, runs', (messages + 1) * PRICES.run],
    ['Lambda, time', gigabyteSeconds(cost) * PRICES.second],
    ['API Gateway', cost.requests * PRICES.request],
    ['S3', cost.messages.copier * PRICES.put],
  ];
  return [...parts, ['in all', sum(parts.map(([, dollars]) => dollars))]];
}

function gigabyteSeconds(cost: JobCost): number {
  const { acceptor, submitter, poller, copier, deliverer } = secondsOf(cost);
  const megabyteSeconds =
    acceptor * MEMORY.acceptor +
    submitter * MEMORY.submitter +
    poller * MEMORY.poller +
    copier * MEMORY.copier +
    deliverer * MEMORY.deliverer;
  return megabyteSeconds / 1024;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
