import type { SQSRecordAttributes } from 'aws-lambda';

/**
 * Longer than the queues' visibility time-outs: a message that is received for the first time is with its function
 * by then, however busy Lambda is.
 */
const TOLERANCE_MILLISECONDS = 600_000;

type Stamps = Pick<SQSRecordAttributes, 'ApproximateFirstReceiveTimestamp' | 'ApproximateReceiveCount'>;

/** Work by a wrong clock would end jobs before their time, or take leases that others have. */
export class WrongClock extends Error {
  override readonly name = 'WrongClock';
}

/**
 * Compares this machine's clock with the queue's.
 * @throws WrongClock; what was received comes back, most likely to another machine
 */
export function assertClock(stamps: Stamps, now: Date): void {
  const received = Number(stamps.ApproximateFirstReceiveTimestamp);
  const ahead = now.getTime() - received;
  // Later receipts of a message tell nothing of how long ago the first one was.
  const isFirst = stamps.ApproximateReceiveCount === '1';
  if (ahead < -TOLERANCE_MILLISECONDS || (isFirst && ahead > TOLERANCE_MILLISECONDS)) {
    throw new WrongClock(`the clock differs from the queue's by ${Math.round(ahead / 1000)} s`);
  }
}
