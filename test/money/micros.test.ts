import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import {
  formatUsd,
  micros,
  microsToUsd,
  minus,
  plus,
  roomIn,
  times,
  usdAmount,
  usdToMicros,
} from '../../functions/money/micros.ts';

describe('an amount', () => {
  test.each([
    [0.000001, 1],
    [0.1, 100_000],
    [0.29, 290_000],
    [1, 1_000_000],
    [1234.567891, 1_234_567_891],
    [1_000_000_000, 1_000_000_000_000_000],
  ])('of %p USD is %p micro-dollars', (usd, micros) => {
    expect(v.parse(usdAmount('more than zero'), usd)).toBe(micros);
  });

  test.each([
    -1,
    0.0000001,
    0.1234567,
    1_000_000_000.01,
    1e300,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '1',
    null,
  ])('is not %p', (usd) => {
    expect(v.safeParse(usdAmount('zero'), usd).success).toBe(false);
  });

  test('of zero is valid if zero is allowed', () => {
    expect(v.parse(usdAmount('zero'), 0)).toBe(0);
    expect(v.safeParse(usdAmount('more than zero'), 0).success).toBe(false);
  });

  test.each([
    ['zero', 'at least 0', { minimum: 0 }],
    ['more than zero', 'more than 0', { exclusiveMinimum: 0 }],
  ] as const)('of at least %s says so', (least, words, bound) => {
    const schema = usdAmount(least);
    const [issue] = v.safeParse(schema, -1).issues ?? [];
    expect(issue?.message).toBe(
      `must be an amount in USD, ${words} and at most a billion, with at most 6 decimals`,
    );
    expect(v.getMetadata(schema)).toEqual({
      ...bound,
      maximum: 1_000_000_000,
      description: 'Amount in USD, with at most 6 decimals',
    });
  });

  test('survives the way to USD and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000_000_000 }), (amount) => {
        expect(usdToMicros(microsToUsd(micros(amount)))).toBe(amount);
      }),
    );
  });
});

test.each([
  [40_000, '$0.04'],
  [1_250_000_000, '$1,250.00'],
  [1, '$0.000001'],
  [0, '$0.00'],
])('%i micro-dollars read %s', (amount, text) => {
  expect(formatUsd(micros(amount))).toBe(text);
});

describe('micro-dollars', () => {
  test.each([0, 1, -1, Number.MAX_SAFE_INTEGER])('are made of %p', (amount) => {
    expect(micros(amount)).toBe(amount);
  });

  test.each([0.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY])('are not made of %p', (amount) => {
    expect(() => micros(amount)).toThrow(v.ValiError);
  });

  test('are refused if arithmetic leaves a fraction, or more than a number holds exactly', () => {
    const most = micros(Number.MAX_SAFE_INTEGER);
    expect(() => times(micros(3), 0.5)).toThrow(v.ValiError);
    expect(() => plus(most, micros(1))).toThrow(v.ValiError);
    expect(() => minus(micros(-2), most)).toThrow(v.ValiError);
  });

  test.each([
    [10, 9, 1],
    [10, 10, 0],
    [10, 11, 0],
  ])('a limit of %i of which %i are used leaves %i', (limit, used, left) => {
    expect(roomIn(micros(limit), micros(used))).toBe(left);
  });
});
