import { beforeEach, describe, expect, test } from '@jest/globals';
import { CREDITS } from '../../functions/money/account.ts';
import type { AccountStore } from '../../functions/money/account-store.ts';
import { leaseAccount } from '../../functions/money/lease.ts';
import type { LeaseStore } from '../../functions/money/lease-store.ts';
import { micros } from '../../functions/money/micros.ts';
import { lent, NOW, startLeases } from './lease-rows.ts';

const [MINE, OTHER] = [leaseAccount('mine'), leaseAccount('other')];

let rows: Awaited<ReturnType<typeof startLeases>>;
let accounts: AccountStore;
let leases: LeaseStore;
beforeEach(async () => {
  rows = await startLeases();
  ({ accounts } = rows);
  ({ leases } = accounts);
});

/** What an amount is found in: the lease that gets it, and what it borrows. */
async function find(amount: number, store = leases, lease = MINE) {
  const [own, pool] = [await accounts.readOne(lease), await accounts.readOne(CREDITS)];
  const found = await store.findLoans(own, pool, micros(amount), NOW);
  return found && [found.lease.limits_version, found.loans.map(({ from, micros }) => [from.account, micros])];
}

describe('room for an amount', () => {
  beforeEach(async () => {
    await rows.put(CREDITS, { ...lent(58, { committed: 53 }), leased: 33 });
    await rows.put(MINE, { ...lent(3, { committed: 1 }), open_jobs: 1, moves: 1 });
    await rows.put(OTHER, lent(30, { committed: 20 }));
    await rows.list('mine', 'other');
  });

  test('is in the lease and the pool if they have just enough, without another look', async () => {
    expect(await find(2)).toEqual([1, []]);
    expect(await find(7)).toEqual([1, [[CREDITS, 5]]]);
    expect(await rows.calls(() => find(7))).toBe(2);
  });

  test('is in the pool and in other leases if all together have just enough', async () => {
    expect(await find(12)).toEqual([1, [[OTHER, 10]]]);
    const everything = [
      [OTHER, 10],
      [CREDITS, 5],
    ];
    expect(await find(17)).toEqual([1, everything]);
  });

  test('is looked for in the lease as it is by then', async () => {
    const [stale, pool] = [await accounts.readOne(MINE), await accounts.readOne(CREDITS)];
    await rows.put(MINE, { ...lent(4, { committed: 1 }), limits_version: 2 });
    const { lease } = (await leases.findLoans(stale, pool, micros(12), NOW)) ?? {};
    expect(lease).toMatchObject({ account: MINE, limits_version: 2 });
  });

  test('is found for a workspace without a lease', async () => {
    expect(await find(7, leases, leaseAccount('new'))).toEqual([0, [[OTHER, 7]]]);
  });

  test('is nowhere, as two looks prove', async () => {
    const refusal =
      'The maximum cost of $0.000018 exceeds the remaining amount of the credits: $0.000017 of $0.000058';
    await expect(find(18)).rejects.toThrow(refusal);
    expect(await rows.calls(() => find(18).catch(() => undefined))).toBe(2 + 2 * 2);
  });

  test('may have been there between two looks', async () => {
    let looks = 0;
    const store = rows.leasesThat(async (ids) => {
      looks++;
      if (looks === 2) {
        await rows.put(MINE, { ...lent(3), open_jobs: 0, moves: 2 });
        await rows.put(OTHER, { ...lent(30, { committed: 21 }), open_jobs: 1, moves: 1 });
      }
      return accounts.read(ids);
    });
    // 5 in the pool, 3 in one lease after its job, 10 in the other before its job.
    await expect(find(18, store)).rejects.toThrow('remaining amount of the credits: $0.000017');
    expect(looks).toBe(3);
  });

  test('stays unknown after four looks while jobs begin and end', async () => {
    let looks = 0;
    const store = rows.leasesThat(async (ids) => {
      looks++;
      await rows.put(OTHER, { ...lent(30, { committed: 20 }), moves: 2 * looks });
      return accounts.read(ids);
    });
    expect(await find(18, store)).toBeUndefined();
    expect(looks).toBe(4);
  });

  test('is not needed by a job that costs nothing, even where more is held than was granted', async () => {
    await rows.put(CREDITS, { ...lent(58, { committed: 73 }), leased: 33 });
    expect(await find(0)).toEqual([1, []]);
    await expect(find(13)).rejects.toThrow('remaining amount of the credits');
  });
});

test('an amount that is spread over too many leases is collected first', async () => {
  const holders = Array.from({ length: 91 }, (_, place) => `w${place}`);
  await rows.put(CREDITS, lent(91, { committed: 91 }));
  for (const holder of holders) await rows.put(leaseAccount(holder), lent(1));
  await rows.list(...holders);
  expect(await find(91)).toBeUndefined();
  expect((await accounts.readOne(MINE)).limits.lifetime?.micros).toBe(90);
  expect(await find(91)).toEqual([1, [[leaseAccount('w90'), 1]]]);
});

describe('a lease', () => {
  beforeEach(async () => {
    await rows.put(CREDITS, { ...lent(100, { committed: 50, spent: 20, byok: 1 }), leased: 30, moves: 3 });
    await rows.put(MINE, { ...lent(30, { committed: 7, spent: 7, byok: 2 }), moves: 1 });
    await rows.write({ list: leases.lists.adding(await accounts.readOne(MINE)) });
  });

  test('ends, and the pool gets its rest', async () => {
    expect(await leases.end(await accounts.readOne(MINE))).toBe(true);
    const counts = { committed: 27, spent: 27, byok: 3 };
    expect(await accounts.readOne(CREDITS)).toMatchObject({ leased: 0, moves: 4, lifetime: counts });
    expect(await leases.lists.read()).toEqual({ ids: [], uncredited: 0 });
  });

  test('does not end while it is in use', async () => {
    const lease = await accounts.readOne(MINE);
    await rows.put(MINE, { ...lent(30, { committed: 9 }), moves: 2 });
    expect(await leases.end(lease)).toBe(false);
    expect((await accounts.readOne(CREDITS)).leased).toBe(30);
  });

  test('does not seem to be in use when DynamoDB fails', async () => {
    const lease = await accounts.readOne(MINE);
    rows.world.faults = ({ operation }) => (operation === 'TransactWriteItems' ? 'error' : undefined);
    await expect(leases.end(lease)).rejects.toThrow();
  });
});

test('leases are read a hundred rows at a time', async () => {
  await rows.list(...Array.from({ length: 150 }, (_, place) => `w${place}`));
  const reads: number[] = [];
  const store = rows.leasesThat(async (ids) => {
    reads.push(ids.length);
    return accounts.read(ids);
  });
  expect((await store.rows()).leases).toHaveLength(150);
  expect(reads).toEqual([100, 51]);
});
