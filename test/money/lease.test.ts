import { describe, expect, test } from '@jest/globals';
import { type Account, CREDITS, emptyAccount } from '../../functions/money/account.ts';
import { type CreditRows, leaseAccount, planLoans, wholeCredits } from '../../functions/money/lease.ts';
import { micros } from '../../functions/money/micros.ts';

const withLeft = (account: string, left: number): Account => ({
  ...emptyAccount(account),
  limits: { lifetime: { micros: micros(left), created_at: '', updated_at: '' } },
});
const rows = (pool: number, ...leases: number[]): CreditRows => ({
  pool: withLeft(CREDITS, pool),
  leases: leases.map((left, place) => withLeft(leaseAccount(`w${place}`), left)),
});
const planned = (credits: CreditRows, lease: Account, price: number) =>
  planLoans(credits, lease, micros(price)).map(({ from, micros: lent }) => [from.account, lent]);

describe('a lease with too little', () => {
  test.each<[string, CreditRows, number, [string, number][]]>([
    ['gets a part of a large pool', rows(64_000_000), 10, [[CREDITS, 1_000_000]]],
    ['gets enough for some jobs from a smaller pool', rows(10_000), 10, [[CREDITS, 320]]],
    ['gets all of a small pool', rows(100), 10, [[CREDITS, 100]]],
    ['gets what it needs from a pool with just enough', rows(10, 99), 10, [[CREDITS, 10]]],
    ['gets half of the largest other lease', rows(9, 40, 100), 10, [['lease#w1', 50]]],
    ['gets only what it lacks from a lease with little more', rows(0, 12), 10, [['lease#w0', 10]]],
    ['gets it from one lease if that has enough', rows(0, 12, 4), 10, [['lease#w0', 10]]],
    [
      'gets everything that several leases have left',
      rows(3, 4, 5),
      10,
      [
        ['lease#w1', 5],
        ['lease#w0', 4],
        [CREDITS, 1],
      ],
    ],
    [
      'gets half of the last lease that it needs',
      rows(0, 9, 4),
      10,
      [
        ['lease#w0', 9],
        ['lease#w1', 2],
      ],
    ],
    [
      'gets too little if there is no more, and nothing from an empty lender',
      rows(0, 4, 1, 0),
      10,
      [
        ['lease#w0', 4],
        ['lease#w1', 1],
      ],
    ],
    ['gets nothing for a job that costs nothing', rows(100, 100), 0, []],
  ])('%s', (_, credits, price, expected) => {
    expect(planned(credits, emptyAccount(leaseAccount('mine')), price)).toEqual(expected);
  });

  test('has at most ninety lenders', () => {
    const credits = rows(0, ...Array.from({ length: 91 }, () => 1));
    expect(planned(credits, emptyAccount(leaseAccount('mine')), 91)).toHaveLength(90);
  });

  test('gets the little that it lacks, but not from itself', () => {
    const credits = rows(1, 9, 4);
    const [own = emptyAccount('')] = credits.leases;
    expect(planned(credits, own, 9)).toEqual([]);
    expect(planned(credits, own, 10)).toEqual([[CREDITS, 1]]);
    expect(planned(credits, own, 13)).toEqual([['lease#w1', 4]]);
  });
});

test('the credits as a whole are the sums of all rows, as if nothing were lent', () => {
  const count = (committed: number, spent: number, byok: number) => ({
    period: 'lifetime',
    committed: micros(committed),
    spent: micros(spent),
    byok: micros(byok),
  });
  const pool = { ...withLeft(CREDITS, 100), leased: micros(40), reserved: micros(1), open_jobs: 1 };
  const lease = { ...withLeft(leaseAccount('w'), 40), reserved: micros(5), open_jobs: 2 };
  const whole = wholeCredits(
    {
      pool: { ...pool, lifetime: count(50, 9, 2) },
      leases: [{ ...lease, lifetime: count(12, 7, 3) }, emptyAccount(leaseAccount('v'))],
    },
    new Date(0),
  );
  expect(whole).toEqual({
    ...pool,
    leased: 0,
    reserved: 6,
    open_jobs: 3,
    lifetime: count(22, 16, 5),
  });
});
