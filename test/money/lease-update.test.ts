import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Account, CREDITS } from '../../functions/money/account.ts';
import type { AccountStore } from '../../functions/money/account-store.ts';
import { holdOf } from '../../functions/money/hold.ts';
import { leaseAccount } from '../../functions/money/lease.ts';
import {
  endLeaseUpdate,
  lendUpdate,
  relendUpdate,
  takeBackUpdate,
  withLoans,
} from '../../functions/money/lease-update.ts';
import { micros } from '../../functions/money/micros.ts';
import { lent, NOW, startLeases } from './lease-rows.ts';

const [MINE, OTHER] = [leaseAccount('mine'), leaseAccount('other')];

let rows: Awaited<ReturnType<typeof startLeases>>;
let accounts: AccountStore;
beforeEach(async () => {
  rows = await startLeases();
  ({ accounts } = rows);
});

const read = (id: string) => accounts.readOne(id);
const update = (change: Parameters<AccountStore['update']>[0]) =>
  rows.write({ change: accounts.update(change) });
/** Holds an amount in a lease that gets its loans in the same write. */
async function borrow(lease: Account, amount: number, ...from: [Account, number][]) {
  const borrowing = { lease, loans: from.map(([lender, part]) => ({ from: lender, micros: micros(part) })) };
  const hold = holdOf(withLoans(borrowing, NOW), [{ micros: micros(amount), isByok: false }], NOW);
  const items = accounts.leases.borrow(borrowing, hold, NOW);
  return { writes: items.length, isHeld: await rows.write({ items }) };
}

describe('a loan with its hold', () => {
  beforeEach(async () => {
    await rows.put(CREDITS, lent(100, { committed: 10, spent: 10 }));
  });

  test('begins a lease, which is listed', async () => {
    expect(await borrow(await read(MINE), 5, [await read(CREDITS), 30])).toEqual({ writes: 3, isHeld: true });
    const at = NOW.toISOString();
    expect(await read(MINE)).toMatchObject({
      limits: { lifetime: { micros: 30, created_at: at, updated_at: at } },
      limits_version: 1,
      lifetime: { committed: 5 },
      reserved: 5,
    });
    const counts = { committed: 40, spent: 10, byok: 0 };
    expect(await read(CREDITS)).toMatchObject({ leased: 30, moves: 1, lifetime: counts });
    expect((await accounts.leases.lists.read()).ids).toEqual(['mine']);
  });

  test('comes from the pool and from leases, and adds to what was lent before', async () => {
    await rows.put(MINE, { ...lent(4, { committed: 3 }), limits_version: 2 });
    await rows.put(OTHER, lent(20, { committed: 12 }));
    const lenders: [Account, number][] = [
      [await read(CREDITS), 90],
      [await read(OTHER), 8],
    ];
    expect(await borrow(await read(MINE), 99, ...lenders)).toEqual({ writes: 3, isHeld: true });
    expect(await read(MINE)).toMatchObject({
      limits: { lifetime: { micros: 102 } },
      limits_version: 3,
      lifetime: { committed: 102 },
    });
    expect(await read(OTHER)).toMatchObject({ limits: { lifetime: { micros: 12 } }, limits_version: 2 });
    expect(await read(CREDITS)).toMatchObject({ leased: 90, lifetime: { committed: 100 } });
  });

  test('is refused by what has changed in its lease or its lenders', async () => {
    const [pool, mine] = [await read(CREDITS), await read(MINE)];
    await rows.put(MINE, lent(0));
    expect((await borrow(mine, 5, [pool, 30])).isHeld).toBe(false);
    await rows.put(CREDITS, lent(100, { committed: 71 }));
    expect((await borrow(await read(MINE), 5, [pool, 30])).isHeld).toBe(false);
    await rows.put(CREDITS, { ...lent(100), limits_version: 2 });
    expect((await borrow(await read(MINE), 5, [pool, 30])).isHeld).toBe(false);
  });
});

describe('a pool that has counted nothing', () => {
  const { lifetime, ...uncounted } = lent(100);

  test('lends, and begins to count', async () => {
    await rows.put(CREDITS, uncounted);
    const pool = await read(CREDITS);
    expect(await update(lendUpdate(pool, micros(30)))).toBe(true);
    expect(await read(CREDITS)).toMatchObject({
      leased: 30,
      moves: 1,
      lifetime: { period: 'lifetime', committed: 30, spent: 0, byok: 0 },
    });
    expect(await update(lendUpdate(pool, micros(30)))).toBe(false);
  });

  test('takes back what it had lent before its counts were lost', async () => {
    await rows.put(CREDITS, { ...uncounted, leased: 30 });
    await rows.put(MINE, lent(30, { committed: 7, spent: 7, byok: 2 }));
    const [pool, lease] = [await read(CREDITS), await read(MINE)];
    expect(await update(takeBackUpdate(pool, lease))).toBe(true);
    const counts = { period: 'lifetime', committed: -23, spent: 7, byok: 2 };
    expect(await read(CREDITS)).toMatchObject({ leased: 0, moves: 1, lifetime: counts });
    expect(await update(takeBackUpdate(pool, lease))).toBe(false);
  });

  test('is refused the counts that it had', async () => {
    await rows.put(CREDITS, { ...uncounted, lifetime });
    const [pool, lease] = [await read(CREDITS), await read(MINE)];
    await rows.put(CREDITS, uncounted);
    expect(await update(takeBackUpdate(pool, lease))).toBe(false);
  });
});

describe('what a lease has been lent', () => {
  test.each([0, 1, 2])('changes once in version %i', async (version) => {
    if (version > 0) await rows.put(MINE, { ...lent(20, { committed: 12 }), limits_version: version });
    const lease = await read(MINE);
    expect(await update(relendUpdate(lease, micros(12), NOW))).toBe(true);
    const after = await read(MINE);
    expect([after.limits.lifetime?.micros, after.limits_version]).toEqual([12, version + 1]);
    expect(await update(relendUpdate(lease, micros(12), NOW))).toBe(false);
  });

  test('covers what its jobs hold at the moment of the write', async () => {
    await rows.put(MINE, lent(20, { committed: 12 }));
    expect(await update(relendUpdate(await read(MINE), micros(11), NOW))).toBe(false);
  });
});

describe('the end of a lease', () => {
  test.each([undefined, 1, 2])('with %p moves leaves its version, which goes on counting', async (moves) => {
    await rows.put(MINE, { ...lent(30, { committed: 7, spent: 7, byok: 2 }), moves });
    const lease = await read(MINE);
    expect(await update(endLeaseUpdate(lease))).toBe(true);
    expect(await read(MINE)).toMatchObject({
      limits: {},
      limits_version: 2,
      lifetime: { period: 'lifetime', committed: 0, spent: 0, byok: 0 },
    });
    expect(await update(endLeaseUpdate(lease))).toBe(false);
  });

  test.each([undefined, 1])('is refused if a job has begun since (%p moves)', async (moves) => {
    await rows.put(MINE, { ...lent(30), moves });
    const lease = await read(MINE);
    await rows.put(MINE, { ...lent(30), moves: 2 });
    expect(await update(endLeaseUpdate(lease))).toBe(false);
  });

  test('that has counted nothing gives back only what it was lent', async () => {
    const { lifetime, ...uncounted } = lent(30);
    await rows.put(CREDITS, { ...lent(100, { committed: 50, spent: 20 }), leased: 30 });
    await rows.put(MINE, uncounted);
    expect(await update(takeBackUpdate(await read(CREDITS), await read(MINE)))).toBe(true);
    const counts = { committed: 20, spent: 20, byok: 0 };
    expect(await read(CREDITS)).toMatchObject({ leased: 0, lifetime: counts });
  });
});
