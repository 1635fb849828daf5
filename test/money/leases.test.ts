import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { CREDITS } from '../../functions/money/account.ts';
import { describeCredits } from '../../functions/money/credits.ts';
import { planHolds } from '../../functions/money/hold.ts';
import { leaseAccount, unused } from '../../functions/money/lease.ts';
import { micros } from '../../functions/money/micros.ts';
import { findWrongLeases } from '../../functions/reconciling/account-audit.ts';
import { returnIdleLeases } from '../../functions/reconciling/return-leases.ts';
import type { Job } from '../../functions/videos/jobs/job.ts';
import { JobLedger, newOwner } from '../contract/job-ledger.ts';
import { AwsWorld } from '../engines/index.ts';

const HOUR = 3_600_000;

async function start() {
  const world = new AwsWorld();
  const { dynamo } = world.startProcess();
  const ledger = await JobLedger.create(dynamo);
  const returnIdle = () =>
    returnIdleLeases({ leases: ledger.leases, now: () => ledger.now, log: { info: () => undefined } });
  const calls = () => world.journal.calls.map(({ operation }) => operation);
  return { dynamo, ledger, returnIdle, calls };
}

test('a job that an earlier version has accepted ends in the pool, beside leases', async () => {
  const { dynamo, ledger } = await start();
  const old = await ledger.accept(newOwner(), 0);
  await ledger.limit(CREDITS, 'lifetime', 100);
  const pool = await ledger.account(CREDITS);
  const [{ hold } = { hold: undefined }] = planHolds(
    [pool],
    [{ micros: micros(60), isByok: false }],
    ledger.now,
  ).holds;
  if (hold === undefined) throw new Error('nothing is held');
  const counted = { committed: 60, spent: 0, byok: 0 };
  const before = Object.fromEntries(
    Object.entries(hold.periods).map(([name, period]) => [name, { period, ...counted }]),
  );
  const Item = { ...pool, ...before, reserved: 60, open_jobs: 1, moves: 1 };
  await dynamo.send(new PutCommand({ TableName: ledger.tables.accounts, Item }));
  const young = await ledger.accept(newOwner(), 40);
  await expect(ledger.accept(newOwner(), 1)).rejects.toThrow(
    'remaining amount of the credits: $0.00 of $0.0001',
  );
  await ledger.settle({ ...old, holds: [...old.holds, hold], estimate_micros: micros(60) }, 20);
  await ledger.settle(young, 40);
  expect(await ledger.credits()).toMatchObject({ reserved: 0, lifetime: { committed: 60, spent: 60 } });
  await ledger.accept(newOwner(), 40);
});

test('costs before the first grant are shown as usage, and are not taken from the credits', async () => {
  const { ledger } = await start();
  const [one, other] = [newOwner(), newOwner()];
  const begun = await ledger.accept(one, 40);
  await ledger.settle(await ledger.accept(one, 50), 30);
  await ledger.settle(await ledger.accept(other, 5), 5);
  await ledger.settle(await ledger.accept(other, 9), undefined);
  expect(describeCredits(await ledger.credits())).toEqual({
    total_credits: 0,
    total_usage: 35e-6,
    reserved: 0,
    remaining: null,
  });
  await ledger.limit(CREDITS, 'lifetime', 100);
  await ledger.settle(begun, 20);
  ledger.now = new Date(ledger.now.getTime() + 30_000);
  await ledger.settle(await ledger.accept(one, 12), 7);
  await ledger.accept(other, 10);
  expect(describeCredits(await ledger.credits())).toEqual({
    total_credits: 100e-6,
    total_usage: 62e-6,
    reserved: 10e-6,
    remaining: 83e-6,
  });
});

test('a submit on a warm instance is one transaction, with and without credits', async () => {
  for (const granted of [false, true]) {
    const { ledger, calls } = await start();
    if (granted) await ledger.limit(CREDITS, 'lifetime', 1_000);
    const owner = newOwner();
    await ledger.accept(owner, 1);
    const before = calls().length;
    await ledger.accept(owner, 1);
    expect(calls().slice(before)).toEqual(['TransactWriteItems']);
  }
});

test('a loan and its hold are one transaction: nobody can call the loan back in between', async () => {
  const { ledger, calls } = await start();
  await ledger.limit(CREDITS, 'lifetime', 1_000);
  const writes = () => calls().filter((operation) => operation === 'TransactWriteItems').length;
  for (const micros of [1, 999]) {
    const before = writes();
    await ledger.accept(newOwner(), micros);
    expect(writes() - before).toBe(1);
  }
  expect(await ledger.credits()).toMatchObject({ reserved: 1_000, lifetime: { committed: 1_000 } });
});

test('a job may cost more than one transaction can collect from leases', async () => {
  const { ledger } = await start();
  await ledger.limit(CREDITS, 'lifetime', 100);
  const jobs: Job[] = [];
  for (let owner = 0; owner < 100; owner++) jobs.push(await ledger.accept(newOwner(), 1));
  for (const job of jobs) await ledger.settle(job, undefined);
  await ledger.accept(newOwner(), 99);
  await expect(ledger.accept(newOwner(), 2)).rejects.toThrow('remaining amount of the credits: $0.000001');
});

test('a job that costs nothing needs no credits, even if more is held than was granted', async () => {
  const { dynamo, ledger } = await start();
  await ledger.limit(CREDITS, 'lifetime', 100);
  await ledger.accept(newOwner(), 1);
  const pool = await ledger.account(CREDITS);
  const committed = (pool.lifetime?.committed ?? 0) + 200;
  const Item = { ...pool, reserved: 200, lifetime: { ...pool.lifetime, committed } };
  await dynamo.send(new PutCommand({ TableName: ledger.tables.accounts, Item }));
  await expect(ledger.accept(newOwner(), 1)).rejects.toThrow('remaining amount of the credits: $0.00');
  await ledger.accept(newOwner(), 0);
});

test('a lease without open jobs ends after an hour, and its spent amount stays counted', async () => {
  const { ledger, returnIdle } = await start();
  await ledger.limit(CREDITS, 'lifetime', 1_000);
  const [idle, busy] = [newOwner(), newOwner()];
  await ledger.settle(await ledger.accept(idle, 10), 7);
  await ledger.accept(busy, 10);
  ledger.now = new Date(ledger.now.getTime() + HOUR);
  await returnIdle();
  expect((await ledger.leases.rows()).leases).toHaveLength(2);
  ledger.now = new Date(ledger.now.getTime() + 1);
  await returnIdle();
  const { pool, leases } = await ledger.leases.rows();
  expect(leases.map(({ account }) => account)).toEqual([leaseAccount(busy.workspace)]);
  expect(unused(pool) + unused(leases[0] ?? pool)).toBe(1_000 - 7 - 10);
  expect(await ledger.credits()).toMatchObject({ lifetime: { committed: 17, spent: 7 } });
  await ledger.accept(idle, 983);
});

test('the audit reports loans without a lease, and lists a missing lease again', async () => {
  const { dynamo, ledger } = await start();
  await ledger.limit(CREDITS, 'lifetime', 1_000);
  const owner = newOwner();
  await ledger.accept(owner, 10);
  const look = async () =>
    findWrongLeases(
      [await ledger.account(CREDITS), await ledger.account(leaseAccount(owner.workspace))],
      ledger.leases,
    );
  expect(await look()).toEqual([]);
  const lost = (await ledger.leases.rows()).leases[0];
  if (lost === undefined) throw new Error('nothing is lent');
  for (let list = 0; list < 16; list++) {
    const Item = { account: `leases-${list}` };
    await dynamo.send(new PutCommand({ TableName: ledger.tables.accounts, Item }));
  }
  expect((await look()).map(({ problem, repair }) => [problem, repair !== undefined])).toEqual([
    ['the lease is in no list', true],
    ['leased is not the sum that leases were lent', false],
  ]);
});
