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

/** Compares this machine's clock with the queue's. */
export class ClockCheck {
  /** By the latest message that the queue handed out for the first time; undefined before there was one. */
  #isRight: boolean | undefined;

  /** @throws WrongClock; what was received comes back, most likely to another machine */
  assert(stamps: Stamps, now: Date): void {
    const ahead = now.getTime() - Number(stamps.ApproximateFirstReceiveTimestamp);
    const isNear = Math.abs(ahead) <= TOLERANCE_MILLISECONDS;
    if (stamps.ApproximateReceiveCount === '1') this.#isRight = isNear;
    // A message that was received before may be old, or the clock ahead: one that has been right is believed.
    const isOld = ahead > 0 && this.#isRight === true;
    if (this.#isRight === false || !(isNear || isOld)) {
      throw new WrongClock(`the clock differs from the queue's by ${Math.round(ahead / 1000)} s`);
    }
  }
}
