import type { SQSRecordAttributes } from 'aws-lambda';

/**
 * Longer than the queues' visibility time-outs: however busy Lambda is, a first-time message has reached its function
 * by then.
 */
const TOLERANCE_MILLISECONDS = 600_000;

type Stamps = Pick<SQSRecordAttributes, 'ApproximateFirstReceiveTimestamp' | 'ApproximateReceiveCount'>;

/** With a wrong clock a worker would end jobs too early, or take leases that others still hold. */
export class WrongClock extends Error {
  override readonly name = 'WrongClock';
}

/** Compares this machine's clock with the queue's. */
export class ClockCheck {
  /** Judged by the latest message that the queue handed out for the first time; undefined before there was one. */
  #isRight: boolean | undefined;

  /** @throws WrongClock; the message goes back to the queue, and most likely to another machine */
  assert(stamps: Stamps, now: Date): void {
    const ahead = now.getTime() - Number(stamps.ApproximateFirstReceiveTimestamp);
    const isNear = Math.abs(ahead) <= TOLERANCE_MILLISECONDS;
    if (stamps.ApproximateReceiveCount === '1') this.#isRight = isNear;
    // A redelivered message may be old, or our clock may be ahead: a clock that was right before is trusted.
    const isOld = ahead > 0 && this.#isRight === true;
    if (this.#isRight === false || !(isNear || isOld)) {
      throw new WrongClock(`the clock differs from the queue's by ${Math.round(ahead / 1000)} s`);
    }
  }
}
