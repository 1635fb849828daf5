import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import { afterDiscount, micros, shareSchema } from '../../functions/money/micros.ts';

/** Whole hundredths of a per cent, the finest step that a stage accepts. */
const shares = fc.integer({ min: 0, max: 10_000 }).map((part) => part / 10_000);
const prices = fc.integer({ min: 0, max: 900_000_000_000 }).map(micros);

describe('a price after a discount', () => {
  test.each([
    [30_000, 0, 30_000],
    [30_000, 0.1, 27_000],
    [30_000, 0.3333, 20_001],
    [1, 0.9999, 1],
    [1, 1, 0],
    // In floating point, 0.29 × 100 is 28.999999999999996.
    [100, 0.29, 71],
    // The discount is rounded down: half a micro-dollar is not taken off.
    [10, 0.15, 9],
    [0, 0.5, 0],
  ])('of %i micro-dollars by %f is %i', (price, share, expected) => {
    expect(afterDiscount(micros(price), share)).toBe(expected);
  });

  test('is the whole number of micro-dollars at or just above the exact amount', () => {
    fc.assert(
      fc.property(prices, shares, (price, share) => {
        const left = BigInt(afterDiscount(price, share));
        const exact = BigInt(price) * BigInt(10_000 - Math.round(share * 10_000));
        expect(left * 10_000n >= exact && left * 10_000n < exact + 10_000n).toBe(true);
      }),
    );
  });

  test('keeps the order of prices, so that the most expensive candidate, whose price is held, stays so', () => {
    fc.assert(
      fc.property(prices, prices, shares, (one, other, share) => {
        const [less, more] = one <= other ? [one, other] : [other, one];
        expect(afterDiscount(less, share)).toBeLessThanOrEqual(afterDiscount(more, share));
      }),
    );
  });
});

describe('the share of a stage', () => {
  test.each([0, 0.0001, 0.1, 0.3333, 0.9999, 1])('may be %f', (share) => {
    expect(v.parse(shareSchema, share)).toBe(share);
  });

  test.each([-0.0001, 1.0001, 0.00001, 0.33333, Number.NaN, '0.1'])('may not be %p', (share) => {
    expect(v.safeParse(shareSchema, share).issues?.[0]?.message).toBe(
      'must be a number from 0 to 1, with at most 4 decimals',
    );
  });
});
