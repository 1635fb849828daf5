import { expect, test } from '@jest/globals';
import { currentCount, currentPeriod, emptyAccount, leftOf } from '../../functions/money/account.ts';
import { micros } from '../../functions/money/micros.ts';
import { tooManySubmits } from '../../functions/money/payment-required.ts';

const NOW = new Date('2030-01-02T00:00:00Z');
const limit = (amount: number) => ({ micros: micros(amount), created_at: '', updated_at: '' });
const counting = (period: string) => ({
  ...emptyAccount('key#k'),
  daily: { period, committed: micros(6), spent: micros(2), byok: micros(1) },
});

test.each([
  ['2030-01-01', '2030-01-02', 0],
  ['2030-01-02', '2030-01-02', 6],
  ['2030-01-03', '2030-01-03', 6],
])('a row that counts %s is in the period of %s', (period, current, committed) => {
  expect(currentPeriod(counting(period), 'daily', NOW)).toBe(current);
  expect(currentCount(counting(period), 'daily', NOW)).toMatchObject({ period: current, committed });
});

test('only limits leave something', () => {
  const account = { ...counting('2030-01-02'), limits: { daily: limit(10), lifetime: limit(3) } };
  expect(leftOf(account, NOW)).toEqual([4, 3]);
  expect(leftOf(counting('2030-01-02'), NOW)).toEqual([]);
});

test('accounts that change too fast are a reason to try again', () => {
  const { message, status, headers } = tooManySubmits();
  expect([message, status, headers]).toEqual([
    'Too many videos are being submitted at the moment; try again',
    429,
    { 'retry-after': '1' },
  ]);
});
