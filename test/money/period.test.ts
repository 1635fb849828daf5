import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { eachInterval, INTERVALS, periodEnd, periodOf } from '../../functions/money/period.ts';

test('each interval gets its own', () => {
  expect(eachInterval((interval) => interval)).toEqual(
    Object.fromEntries(INTERVALS.map((interval) => [interval, interval])),
  );
});

describe('a period', () => {
  test.each([
    ['2026-11-21T23:59:59.999Z', '2026-11-21', '2026-11-16', '2026-11'],
    ['2026-11-22T00:00:00.000Z', '2026-11-22', '2026-11-16', '2026-11'],
    ['2026-11-22T23:59:59.999Z', '2026-11-22', '2026-11-16', '2026-11'],
    ['2026-11-23T00:00:00.000Z', '2026-11-23', '2026-11-23', '2026-11'],
    ['2026-11-30T23:59:59.999Z', '2026-11-30', '2026-11-30', '2026-11'],
    ['2026-12-01T00:00:00.000Z', '2026-12-01', '2026-11-30', '2026-12'],
    ['2027-01-01T00:00:00.000Z', '2027-01-01', '2026-12-28', '2027-01'],
    ['2028-02-29T12:00:00.000Z', '2028-02-29', '2028-02-28', '2028-02'],
  ])('at %s begins at midnight, on Monday, on the 1st', (at, daily, weekly, monthly) => {
    const date = new Date(at);
    expect(periodOf('daily', date)).toBe(daily);
    expect(periodOf('weekly', date)).toBe(weekly);
    expect(periodOf('monthly', date)).toBe(monthly);
    expect(periodOf('lifetime', date)).toBe('lifetime');
  });

  test('ends where the next begins, and never names an earlier one later', () => {
    const moments = fc.date({
      min: new Date('2020-01-01'),
      max: new Date('2100-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(moments, fc.constantFrom(...INTERVALS), (at, interval) => {
        const end = periodEnd(interval, at);
        if (end === undefined) return expect(interval).toBe('lifetime');
        expect(end.getTime()).toBeGreaterThan(at.getTime());
        const last = new Date(end.getTime() - 1);
        expect(periodOf(interval, last)).toBe(periodOf(interval, at));
        expect(periodOf(interval, end) > periodOf(interval, last)).toBe(true);
      }),
    );
  });
});
