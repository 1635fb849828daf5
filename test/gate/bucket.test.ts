import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { latestFull, tokensLeft, tokenTime } from '../../functions/gate/bucket-store.ts';

const MINUTE = 60_000_000;

/** A bucket in memory, without a store. */
function bucket(perMinute: number) {
  const rate = { perMinute };
  let fullAt = 0;
  return {
    take(now: number): boolean {
      if (fullAt > latestFull(rate, now)) return false;
      fullAt = Math.max(fullAt, now) + tokenTime(rate);
      return true;
    },
    left: (now: number) => tokensLeft(rate, fullAt, now),
    nextTokenAt: (now: number) => now + fullAt - latestFull(rate, now),
  };
}

describe('a bucket', () => {
  test.each([1, 2, 7, 60, 100, 59_999])('of %i a minute gives that many at once and no more', (perMinute) => {
    const { take, left } = bucket(perMinute);
    let taken = 0;
    while (left(0) === perMinute - taken && take(0)) taken++;
    expect(taken).toBe(perMinute);
    expect(left(0)).toBe(0);
    expect(take(0)).toBe(false);
  });

  test('says exactly when the next token comes', () => {
    const { take, nextTokenAt } = bucket(100);
    while (take(0));
    const at = nextTokenAt(0);
    expect(at).toBe(600_000);
    expect(take(at - 1)).toBe(false);
    expect(take(at)).toBe(true);
    expect(take(at)).toBe(false);
  });

  test('gives its rate and one burst over ten minutes, for any times of calls', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.array(fc.integer({ min: 0, max: 10 * MINUTE }), { maxLength: 3_000 }),
        (perMinute, moments) => {
          const { take } = bucket(perMinute);
          const taken = moments.sort((a, b) => a - b).filter((moment) => take(moment)).length;
          expect(taken).toBeLessThanOrEqual(11 * perMinute);
        },
      ),
      { numRuns: 50 },
    );
    const { take } = bucket(100);
    let taken = 0;
    for (let now = 0; now < 10 * MINUTE; now += 100_000) if (take(now)) taken++;
    expect(taken).toBe(1_099);
  });
});
