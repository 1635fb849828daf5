import { beforeEach, describe, expect, test } from '@jest/globals';
import { TransactionRefused, transact } from '../../functions/aws/dynamo-writes.ts';
import { keyAccount } from '../../functions/money/account.ts';
import { AccountStore } from '../../functions/money/account-store.ts';
import { planHolds } from '../../functions/money/hold.ts';
import { micros } from '../../functions/money/micros.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { AwsWorld } from '../engines/index.ts';

const LATE = new Date('2026-11-21T23:59:59.900Z');
const NEXT_DAY = new Date('2026-11-22T00:00:00.100Z');
const ACCOUNT = keyAccount('k'.repeat(64));

let plan: (amount: number, now: Date) => Promise<() => Promise<void>>;
let daily: () => Promise<{ readonly period: string; readonly committed: number } | undefined>;

beforeEach(() => {
  const world = new AwsWorld();
  const { dynamo } = world.startProcess();
  const accounts = new AccountStore(dynamo, new DeployedStage(world).name('Accounts'));
  plan = async (amount, now) => {
    const account = await accounts.readOne(ACCOUNT);
    const charges = [{ micros: micros(amount), isByok: false }];
    const [{ hold } = { hold: undefined }] = planHolds([account], charges, now).holds;
    if (hold === undefined) throw new Error('nothing is held');
    return () => transact(dynamo, { account: accounts.hold(account, hold, now) });
  };
  daily = async () => (await accounts.readOne(ACCOUNT)).daily;
});

/** Plans a hold, and takes it at once. */
const take = async (amount: number, now: Date) => (await plan(amount, now))();

describe('a hold that was planned before another was taken', () => {
  test('is added to the other’s count in the same day', async () => {
    await take(1, LATE);
    const late = await plan(20, LATE);
    await take(300, LATE);
    await late();
    expect(await daily()).toMatchObject({ period: '2026-11-21', committed: 321 });
  });

  test('is refused if the other began the next day', async () => {
    await take(1, LATE);
    const late = await plan(20, LATE);
    await take(300, NEXT_DAY);
    await expect(late()).rejects.toThrow(TransactionRefused);
    expect(await daily()).toMatchObject({ period: '2026-11-22', committed: 300 });
  });

  test('is refused if both were to begin the next day', async () => {
    await take(1, LATE);
    const second = await plan(20, NEXT_DAY);
    await take(300, NEXT_DAY);
    await expect(second()).rejects.toThrow(TransactionRefused);
    expect(await daily()).toMatchObject({ period: '2026-11-22', committed: 300 });
  });

  test('is refused if both were to begin the first day', async () => {
    const second = await plan(20, LATE);
    await take(300, LATE);
    await expect(second()).rejects.toThrow(TransactionRefused);
    expect(await daily()).toMatchObject({ period: '2026-11-21', committed: 300 });
  });
});
