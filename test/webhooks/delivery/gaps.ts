import { expect } from '@jest/globals';
import { GRACE_MILLISECONDS } from '../../../functions/webhooks/events/sweep-event.ts';

/** The waits before each attempt at an event that is never taken, in seconds. */
export const WHOLE_SCHEDULE = [0, 5, 60, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** The longest delay of a queue; the sweeper looks each minute for what waits longer. */
const QUEUE_SECONDS = 900;
const SWEEP_SECONDS = GRACE_MILLISECONDS / 1000 + 60;

/** That attempts came when they should: to the second from the queue, a sweep later from the table. */
export function expectGaps(sent: readonly { readonly second: number }[], waits: readonly number[]): void {
  const gaps = sent.map(({ second }, i) => second - (sent[i - 1]?.second ?? 0));
  expect(gaps).toHaveLength(waits.length);
  gaps.forEach((gap, i) => {
    const wait = waits[i] ?? 0;
    expect(gap).toBeGreaterThanOrEqual(wait);
    expect(gap).toBeLessThanOrEqual(wait > QUEUE_SECONDS ? wait + SWEEP_SECONDS : wait);
  });
}
