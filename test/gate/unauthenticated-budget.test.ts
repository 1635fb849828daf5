import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { UnauthenticatedBudget } from '../../functions/gate/unauthenticated-budget.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

function open(perMinute: number, addresses = 100) {
  const clock = { now: NOW };
  const budget = new UnauthenticatedBudget({ perMinute, addresses }, () => new Date(clock.now));
  const count = (address: string, times: number) => {
    for (let n = 0; n < times; n++) budget.count(address);
  };
  return { budget, clock, count, isRefused: (address: string) => budget.refusalOf(address) !== undefined };
}

describe('an address', () => {
  test('is refused once its budget is used up, until its minute is over', () => {
    const { budget, clock, count, isRefused } = open(3);
    count('192.0.2.1', 2);
    expect(isRefused('192.0.2.1')).toBe(false);
    clock.now += 20_500;
    count('192.0.2.1', 1);
    expect(budget.refusalOf('192.0.2.1')).toMatchObject({
      status: 429,
      headers: {
        'retry-after': '40',
        'x-ratelimit-limit': '3',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(NOW / 1_000 + 60),
      },
    });
    clock.now = NOW + 59_999;
    expect(budget.refusalOf('192.0.2.1')?.headers['retry-after']).toBe('1');
    clock.now = NOW + 60_000;
    expect(isRefused('192.0.2.1')).toBe(false);
    count('192.0.2.1', 2);
    expect(isRefused('192.0.2.1')).toBe(false);
  });

  test('is not affected by another', () => {
    const { count, isRefused } = open(1);
    count('192.0.2.1', 5);
    expect([isRefused('192.0.2.1'), isRefused('192.0.2.2'), isRefused('')]).toEqual([true, false, false]);
  });

  test.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
    ['2001:db8:1:2::1', '2001:0DB8:0001:0002::', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['2001:db8::1', '2001:db8:0:0:9::', true],
    ['2001:db8::1', '2001:db8:0:1::1', false],
    ['2001::a:5:6:7:8', '2001::a:9:9:9:9', true],
    ['2001::a:5:6:7:8', '2001::b:5:6:7:8', false],
    ['::1', '::2', true],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
    ['192.0.2.1', '192.0.2.2', false],
  ])('%s counts for %s: %p', (one, other, isCounted) => {
    const { count, isRefused } = open(1);
    count(one, 1);
    expect(isRefused(other)).toBe(isCounted);
  });

  test('of unknown form is counted as it is written', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), (address) => {
        const { count, isRefused } = open(1);
        count(address, 1);
        return isRefused(address);
      }),
    );
  });
});

test('of many addresses those with the fewest requests are forgotten', () => {
  const { count, isRefused } = open(1, 100);
  const addresses = Array.from({ length: 10_000 }, (_, n) => `10.0.${n >> 8}.${n & 255}`);
  for (const address of addresses) count(address, 1);
  const kept = addresses.filter(isRefused);
  expect(kept.length).toBeGreaterThanOrEqual(50);
  expect(kept.length).toBeLessThanOrEqual(100);
  expect(kept).toEqual(addresses.slice(-kept.length));
});
