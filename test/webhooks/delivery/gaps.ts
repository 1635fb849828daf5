import { expect } from '@jest/globals';
import { GRACE_MILLISECONDS } from '../../../functions/webhooks/events/sweep-event.ts';

/** The pauses before each attempt if no attempt succeeds, in seconds. */
export const WHOLE_SCHEDULE = [0, 5, 60, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** The longest delay of a queue. The sweeper, which runs every minute, finds longer waits. */
const QUEUE_SECONDS = 900;
const SWEEP_SECONDS = GRACE_MILLISECONDS / 1000 + 60;

/** Checks the times of attempts. From the queue they are exact; from the table they may be a sweep late. */
export function expectGaps(sent: readonly { readonly second: number }[], waits: readonly number[]): void {
  const gaps = sent.map(({ second }, i) => second - (sent[i - 1]?.second ?? 0));
  expect(gaps).toHaveLength(waits.length);
  gaps.forEach((gap, i) => {
    const wait = waits[i] ?? 0;
    expect(gap).toBeGreaterThanOrEqual(wait);
    expect(gap).toBeLessThanOrEqual(wait > QUEUE_SECONDS ? wait + SWEEP_SECONDS : wait);
  });
}
