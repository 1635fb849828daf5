import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MAX_ATTEMPTS, nextDelay } from '../../../functions/webhooks/delivery/judge-answer.ts';

const exact = () => 0.5;

describe('the retry schedule', () => {
  test('waits 5 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h and then gives up', () => {
    const delays = Array.from({ length: MAX_ATTEMPTS }, (_, made) => nextDelay(made + 1, undefined, exact));
    expect(delays).toEqual([5, 60, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, undefined]);
  });

  test('covers three days', () => {
    const total = Array.from({ length: MAX_ATTEMPTS }, (_, made) => nextDelay(made, undefined, exact) ?? 0);
    expect(total.reduce((sum, delay) => sum + delay) / 3600).toBeCloseTo(75.6, 1);
  });

  test('is spread by at most 15 % to either side', () => {
    expect(nextDelay(2, undefined, () => 0)).toBeCloseTo(51);
    expect(nextDelay(2, undefined, () => 1)).toBeCloseTo(69);
  });

  test('waits as long as a receiver asks, up to a day, and never less than its own', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 0, max: 10 ** 9 }), (made, asked) => {
        const own = nextDelay(made, undefined, exact)!;
        expect(nextDelay(made, asked, exact)).toBe(Math.max(own, Math.min(asked, 86_400)));
      }),
    );
  });
});
