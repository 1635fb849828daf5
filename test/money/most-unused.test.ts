import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Account, CREDITS, emptyAccount } from '../../functions/money/account.ts';
import {
  allUnused,
  type CreditRows,
  leaseAccount,
  lentTo,
  mostUnusedBetween,
  unused,
} from '../../functions/money/lease.ts';
import { micros } from '../../functions/money/micros.ts';

const count = (committed: number) => ({
  period: 'lifetime',
  committed: micros(committed),
  spent: micros(0),
  byok: micros(0),
});
const limitOf = (amount: number) => ({
  lifetime: { micros: micros(amount), created_at: '', updated_at: '' },
});
const lease = (id: string, amount: number, committed = 0): Account => ({
  ...emptyAccount(leaseAccount(id)),
  limits: limitOf(amount),
  limits_version: 1,
  lifetime: count(committed),
});
const moved = (row: Account, committed: number, opened: number): Account => ({
  ...row,
  lifetime: count((row.lifetime?.committed ?? 0) + committed),
  open_jobs: row.open_jobs + opened,
  moves: row.moves + 1,
});
const hold = (row: Account, micros: number) => moved(row, micros, 1);
const end = (row: Account, micros: number) => moved(row, -micros, -1);
const lent = (row: Account, micros: number): Account => ({
  ...row,
  limits: limitOf(lentTo(row) + micros),
  limits_version: row.limits_version + 1,
});
const rows = (pool: Account, ...leases: Account[]): CreditRows => ({ pool, leases });

describe('the most that two reads prove possible', () => {
  const pool = { ...lease('', 100, 90), account: CREDITS };
  const [a, b] = [lease('a', 30, 10), lease('b', 9)];
  test.each<[string, CreditRows, number]>([
    ['is the unused amount if nothing changed', rows(pool, a, b), 10 + 20 + 9],
    ['is the earlier amount if jobs only began', rows(pool, hold(hold(a, 3), 4), b), 10 + 20 + 9],
    ['is the later amount if jobs only ended', rows(pool, end(end(a, 3), 4), b), 10 + 27 + 9],
    ['is unknown if jobs began and ended', rows(pool, end(hold(a, 3), 3), b), Infinity],
    ['is unknown after a loan', rows(pool, lent(a, -1), lent(b, 1)), Infinity],
    ['is unknown if the pool changed', rows(moved(pool, 1, 0), a, b), Infinity],
    ['is unknown if a lease began', rows(pool, a, b, lease('c', 0)), Infinity],
    ['is unknown if a lease ended', rows(pool, a), Infinity],
  ])('%s', (_, second, expected) => {
    expect(mostUnusedBetween(rows(pool, a, b), second)).toBe(expected);
  });

  test('depends only on what has moved since the first', () => {
    const busy = hold(a, 3);
    expect(mostUnusedBetween(rows(pool, busy), rows(pool, hold(busy, 4)))).toBe(10 + 17);
  });
});

const step = fc.record({
  kind: fc.constantFrom('hold', 'end', 'lend'),
  which: fc.nat(2),
  other: fc.nat(2),
  micros: fc.integer({ min: 1, max: 5 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Changes the rows, none of which can be overdrawn. */
function happen(all: Account[], { kind, which, other, micros }: Step): void {
  const [row, to] = [all[which], all[other]];
  if (row === undefined || to === undefined) return;
  if (kind === 'end') {
    if (row.open_jobs > 0) all[which] = end(row, Math.min(micros, row.lifetime?.committed ?? 0));
  } else if (unused(row) >= micros) {
    if (kind === 'hold') all[which] = hold(row, micros);
    else if (which !== other) {
      all[which] = lent(row, -micros);
      all[other] = lent(to, micros);
    }
  }
}

test('is never less than the real amount between them, whatever moved during the reads', () => {
  const during = fc.array(step, { maxLength: 2 });
  const looks = fc.array(during, { minLength: 6, maxLength: 6 });
  let proofs = 0;
  fc.assert(
    fc.property(looks, fc.array(step, { maxLength: 8 }), (between, before) => {
      const all = [lease('a', 4), lease('b', 5), lease('c', 6)];
      for (const each of before) happen(all, each);
      const pool = lease('', 0);
      const look = (steps: readonly Step[][]) => {
        const leases = all.map((_, place) => {
          for (const each of steps[place] ?? []) happen(all, each);
          return all[place] ?? pool;
        });
        return rows(pool, ...leases);
      };
      const first = look(between.slice(0, 3));
      const there = allUnused(rows(pool, ...all));
      const most = mostUnusedBetween(first, look(between.slice(3)));
      if (most < Infinity) proofs++;
      expect(most).toBeGreaterThanOrEqual(there);
    }),
    { numRuns: 3_000 },
  );
  expect(proofs).toBeGreaterThan(50);
});
