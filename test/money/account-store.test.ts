import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type NamedItems, transact } from '../../functions/aws/dynamo-writes.ts';
import { CREDITS, keyAccount } from '../../functions/money/account.ts';
import { AccountStore } from '../../functions/money/account-store.ts';
import { type Closing, withLimit } from '../../functions/money/account-update.ts';
import { holdOf } from '../../functions/money/hold.ts';
import { leaseAccount } from '../../functions/money/lease.ts';
import { micros } from '../../functions/money/micros.ts';
import { INTERVALS, type Interval } from '../../functions/money/period.ts';
import { createTable } from '../engines/conformance/index.ts';
import { AwsWorld } from '../engines/index.ts';

const NOW = new Date('2030-01-02T00:00:00Z');
const TOMORROW = new Date('2030-01-03T00:00:00Z');
const ID = keyAccount('k');
const cost = (amount: number, isByok = false) => ({ micros: micros(amount), isByok });

let store: AccountStore;
let write: (items: NamedItems) => Promise<boolean>;
let row: (account: string) => Promise<Record<string, unknown> | undefined>;
beforeEach(async () => {
  const { dynamo } = new AwsWorld().startProcess();
  store = new AccountStore(dynamo, await createTable(dynamo, 'account'));
  write = (items) =>
    transact(dynamo, items).then(
      () => true,
      () => false,
    );
  row = async (account) =>
    (await dynamo.send(new GetCommand({ TableName: store.table, Key: { account } }))).Item;
});

const read = () => store.readOne(ID);
/** Holds what a job costs, by the account as it is. */
async function hold(amount: number, now = NOW, account?: Awaited<ReturnType<typeof read>>) {
  const seen = account ?? (await read());
  const held = holdOf(seen, [cost(amount)], now);
  return { held, isHeld: await write({ account: store.hold(seen, held, now) }) };
}
const limitTo = async (interval: Interval, amount: number | undefined, closing: Closing = {}) => {
  const account = await read();
  const limit = amount === undefined ? undefined : micros(amount);
  const limits = withLimit(account, interval, limit, NOW);
  return write({ account: store.changeLimits(account, { limits, countsByok: true }, closing) });
};
const countsOf = async () => {
  const account = await read();
  return INTERVALS.map((each) => {
    const { committed, spent, byok } = account[each] ?? {};
    return [committed, spent, byok];
  });
};

describe('a hold', () => {
  test('counts in every period, begins new ones and is counted itself', async () => {
    expect((await hold(5)).isHeld).toBe(true);
    expect(await countsOf()).toEqual(INTERVALS.map(() => [5, 0, 0]));
    expect(await read()).toMatchObject({ reserved: 5, open_jobs: 1, moves: 1 });
    await hold(3, TOMORROW);
    const account = await read();
    expect(account).toMatchObject({ reserved: 8, open_jobs: 2, moves: 2 });
    expect(account).toMatchObject({
      daily: { period: '2030-01-03', committed: 3, spent: 0, byok: 0 },
      lifetime: { committed: 8 },
    });
  });

  test.each(INTERVALS)('fits in what the %s limit leaves, and not in less', async (interval) => {
    await limitTo(interval, 10);
    const before = await read();
    expect((await hold(6, NOW, before)).isHeld).toBe(true);
    expect((await hold(4)).isHeld).toBe(true);
    expect((await hold(1)).isHeld).toBe(false);
    expect((await hold(0)).isHeld).toBe(true);
    await limitTo(interval, 5);
    expect((await hold(0)).isHeld).toBe(true);
    await limitTo(interval, undefined);
    expect((await hold(100)).isHeld).toBe(true);
  });

  test('is refused by what has changed since the account was read', async () => {
    const empty = await read();
    await limitTo('daily', 10);
    expect((await hold(1, NOW, empty)).isHeld).toBe(false);
    const limited = await read();
    await limitTo('daily', 9);
    expect((await hold(1, NOW, limited)).isHeld).toBe(false);
    const idle = await read();
    await hold(1);
    expect((await hold(1, NOW, idle)).isHeld).toBe(false);
    await hold(1, TOMORROW);
    expect((await hold(1, NOW, idle)).isHeld).toBe(false);
  });

  test.each<[Closing, boolean]>([
    [{ closed: true }, false],
    [{ closed: false }, true],
    [{ closesAt: NOW.toISOString() }, false],
    [{ closesAt: '2030-01-02T00:00:00.001Z' }, true],
    [{ closesAt: null }, true],
  ])('on an account with %j', async (closing, isHeld) => {
    const before = await read();
    expect(await write({ account: store.changeClosing(ID, closing) })).toBe(true);
    expect((await hold(1, NOW, before)).isHeld).toBe(isHeld);
  });
});

describe('the end of a job', () => {
  test.each([
    [cost(0), [0, 0, 0]],
    [cost(3), [3, 3, 0]],
    [cost(3, true), [0, 0, 3]],
  ])('gives back what was held and counts what it cost (%#)', async (charge, counts) => {
    const { held } = await hold(5);
    const [settling] = store.settle([held], charge);
    expect(await write({ settling })).toBe(true);
    expect(await countsOf()).toEqual(INTERVALS.map(() => counts));
    expect(await read()).toMatchObject({ reserved: 0, open_jobs: 0, moves: 2 });
  });

  test('on the caller’s own key stays committed where that counts', async () => {
    await limitTo('lifetime', 10);
    const { held } = await hold(5);
    await write({ settling: store.settle([held], cost(3, true))[0] });
    expect(await countsOf()).toEqual(INTERVALS.map(() => [3, 0, 3]));
  });

  test('leaves the counts of a later day alone', async () => {
    const { held } = await hold(5);
    await hold(7, TOMORROW);
    expect(await write({ settling: store.settle([held], cost(3))[0] })).toBe(false);
    expect(await write({ settling: store.settle([held], cost(3), [await read()])[0] })).toBe(true);
    expect(await read()).toMatchObject({
      daily: { committed: 7, spent: 0 },
      lifetime: { committed: 10, spent: 3 },
      reserved: 7,
      open_jobs: 1,
    });
  });

  test('writes nothing to an account that was lost', async () => {
    const { held } = await hold(5);
    expect(store.settle([{ ...held, account: 'key#lost' }], cost(3), [await read()])).toEqual([]);
    const lost = { ...(await read()), account: 'key#lost', lifetime: undefined };
    const { lifetime: _, ...uncounted } = lost;
    expect(store.settle([{ ...held, account: 'key#lost' }], cost(3), [uncounted])).toEqual([]);
  });

  test('is the first move of a row that counted none', async () => {
    const { held } = await hold(5);
    const { moves, ...uncounted } = (await row(ID)) ?? {};
    await write({ row: { Put: { TableName: store.table, Item: uncounted } } });
    await write({ settling: store.settle([held], cost(3))[0] });
    expect([moves, await read()]).toMatchObject([1, { moves: 1, reserved: 0 }]);
  });

  test('that held no credits is counted, if it cost something', async () => {
    const { held } = await hold(5);
    const counted = (account: string, amount: number) =>
      store.countUncredited([held, { ...held, account }], 'w', cost(amount)) !== undefined;
    expect([counted('key#b', 3), counted('key#b', 0)]).toEqual([true, false]);
    expect([counted(CREDITS, 3), counted(leaseAccount('w'), 3)]).toEqual([false, false]);
    await write({ count: store.countUncredited([held], 'w', cost(3)) });
    await write({ count: store.countUncredited([held], 'v', cost(4)) });
    expect(await store.leases.lists.read()).toEqual({ ids: [], uncredited: 7 });
  });
});

describe('an account', () => {
  test('keeps its limits with the moments of their changes, and its closing', async () => {
    const at = NOW.toISOString();
    expect(await limitTo('daily', 10, { closed: true, closesAt: at })).toBe(true);
    expect(await read()).toMatchObject({
      limits: { daily: { micros: 10, created_at: at, updated_at: at } },
      limits_version: 1,
      counts_byok: true,
      closed: true,
      closes_at: at,
    });
    const account = await read();
    expect(withLimit(account, 'daily', micros(7), TOMORROW)).toEqual({
      daily: { micros: 7, created_at: at, updated_at: TOMORROW.toISOString() },
    });
    expect(withLimit(account, 'daily', undefined, TOMORROW)).toEqual({});
  });

  test('refuses limits that were decided by older ones', async () => {
    const empty = await read();
    const change = { limits: {}, countsByok: false };
    await limitTo('daily', 10);
    expect(await write({ account: store.changeLimits(empty, change) })).toBe(false);
    const first = await read();
    await limitTo('daily', 9);
    expect(await write({ account: store.changeLimits(first, change) })).toBe(false);
    expect(await read()).toMatchObject({ limits: { daily: { micros: 9 } }, limits_version: 2 });
  });

  test('is closed while it is idle, and not while a job is open', async () => {
    expect(await write({ account: store.closeIdle(ID) })).toBe(true);
    expect(await read()).toMatchObject({ closed: true });
    await write({ account: store.changeClosing(ID, { closed: false }) });
    const { held } = await hold(5);
    expect(await write({ account: store.closeIdle(ID) })).toBe(false);
    await write({ settling: store.settle([held], cost(0))[0] });
    expect(await write({ account: store.closeIdle(ID) })).toBe(true);
  });

  test('is corrected, unless something has moved since it was read', async () => {
    const empty = await read();
    await hold(5);
    const account = await read();
    const correction = { reserved: micros(2), openJobs: 3 };
    expect(await write({ account: store.correct(empty, correction) })).toBe(false);
    expect(await write({ account: store.correct(account, correction) })).toBe(true);
    expect(await read()).toMatchObject({ reserved: 2, open_jobs: 3, moves: 2, lifetime: { committed: 2 } });
    expect(await write({ account: store.correct(account, correction) })).toBe(false);
  });

  test('that has counted nothing yet is corrected too', async () => {
    const empty = await read();
    expect(await write({ account: store.correct(empty, { reserved: micros(2), openJobs: 3 }) })).toBe(true);
    expect(await read()).toMatchObject({ reserved: 2, open_jobs: 3, moves: 1 });
  });

  test('is read with others in the order of their ids', async () => {
    await hold(5);
    const accounts = await store.read(['key#a', ID, 'key#z']);
    expect(accounts.map(({ account, reserved }) => [account, reserved])).toEqual([
      ['key#a', 0],
      [ID, 5],
      ['key#z', 0],
    ]);
    expect(store.row(ID)).toEqual({ table: store.table, key: { account: ID } });
  });

  test('does not share its row with a grant', async () => {
    const grant = { id: 'g', micros: micros(5), note: 'n', grantedBy: 'me', grantedAt: NOW };
    await write({ grant: store.grantInsertion(grant) });
    expect(await row('grant#g')).toEqual({
      account: 'grant#g',
      micros: 5,
      note: 'n',
      granted_by: 'me',
      granted_at: NOW.toISOString(),
    });
  });
});
