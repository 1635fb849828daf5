import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { TransactionRefused } from '../../../functions/aws/dynamo-writes.ts';
import { Conflict, PaymentRequired } from '../../../functions/http/errors.ts';
import { CREDITS, keyAccount, workspaceAccount } from '../../../functions/money/account.ts';
import { AccountBook } from '../../../functions/money/account-book.ts';
import { leaseAccount } from '../../../functions/money/lease.ts';
import { micros } from '../../../functions/money/micros.ts';
import { waitBy } from '../../aws/virtual-waits.ts';
import { AwsWorld } from '../../engines/index.ts';
import { aJob } from './job-fixture.ts';

waitBy(new AwsWorld());
const { accountsOf, assertAffordable, chargesOf, wasNotAccepted } = await import(
  '../../../functions/videos/jobs/accept-job.ts'
);
const { transact } = await import('../../../functions/aws/dynamo-writes.ts');
const { AccountStore } = await import('../../../functions/money/account-store.ts');
const { JobLedger } = await import('../../contract/job-ledger.ts');

const OWNER = { key: 'k', workspace: 'w' };
const OTHER = { key: 'k2', workspace: 'w2' };

async function start() {
  const world = new AwsWorld();
  waitBy(world);
  const { dynamo } = world.startProcess();
  const ledger = await JobLedger.create(dynamo);
  let seen = world.journal.calls.length;
  /** Since it was last asked. */
  const calls = () => {
    const all = world.journal.calls.map(({ operation }) => operation);
    const latest = all.slice(seen);
    seen = all.length;
    return latest;
  };
  const never = {
    ConditionCheck: {
      TableName: ledger.tables.jobs,
      Key: { id: 'nobody' },
      ConditionExpression: 'attribute_exists(id)',
    },
  };
  return { dynamo, ledger, beside: ledger.beside(world.startProcess('beside').dynamo), calls, never };
}

const READ = 'BatchGetItem';
const WRITE = 'TransactWriteItems';

describe('accepting a job', () => {
  test('holds its money in every account, and writes its rows', async () => {
    const { dynamo, ledger } = await start();
    const job = await ledger.accept({ ...OWNER, guardrail: 'g' }, 40);
    expect(job.holds.map((hold) => [hold.account, hold.micros])).toEqual([
      ['key#k', 40],
      ['workspace#w', 40],
      ['guardrail#g', 40],
    ]);
    expect((await ledger.job(job.id)).holds).toEqual(job.holds);
    expect(await ledger.account(workspaceAccount('w'))).toMatchObject({ reserved: 40, open_jobs: 1 });
    const Key = { id: `${job.id}#request` };
    const { Item } = await dynamo.send(new GetCommand({ TableName: ledger.tables.jobs, Key }));
    expect(Item?.request).toEqual(aJob().request);
  });

  test('borrows the credits that its workspace lacks, and holds them there', async () => {
    const { ledger, calls } = await start();
    await ledger.limit(CREDITS, 'lifetime', 100);
    calls();
    const job = await ledger.accept(OWNER, 40);
    expect(calls()).toEqual([READ, WRITE]);
    expect(job.holds.map((hold) => hold.account)).toEqual(['key#k', 'workspace#w', 'lease#w']);
    expect(await ledger.account(leaseAccount('w'))).toMatchObject({ reserved: 40, open_jobs: 1 });
    expect(await ledger.account(CREDITS)).toMatchObject({ leased: 100 });
  });

  test.each([undefined, 100])('again needs no further read, with credits of %s', async (credits) => {
    const { ledger, calls } = await start();
    await ledger.limit(CREDITS, 'lifetime', credits);
    await ledger.accept(OWNER, 40);
    calls();
    await ledger.accept(OWNER, 40);
    expect(calls()).toEqual([WRITE]);
    expect(await ledger.account(keyAccount('k'))).toMatchObject({ reserved: 80, open_jobs: 2 });
  });

  test('borrows only upon what was just read', async () => {
    const { ledger, calls } = await start();
    await ledger.limit(CREDITS, 'lifetime', 64_000);
    await ledger.accept(OWNER, 1);
    calls();
    await ledger.accept(OWNER, 2_000);
    expect(calls()).toEqual([READ, WRITE]);
  });

  test('borrows for what counts against the credits alone', async () => {
    const { dynamo, ledger } = await start();
    await ledger.limit(CREDITS, 'lifetime', 1_000);
    const accounts = new AccountStore(dynamo, ledger.tables.accounts);
    const key = accounts.changeLimits(await ledger.account(keyAccount('k')), {
      limits: {},
      countsByok: true,
    });
    await transact(dynamo, { key });
    const place = { endpoint: 'e', provider: 'p', estimate_micros: micros(4), is_byok: false };
    const job = await ledger.accept(OWNER, 9, {}, { is_byok: true, alternatives: [place] });
    expect(job.holds.map((hold) => hold.micros)).toEqual([9, 4, 4]);
    // A block is enough for 32 such jobs.
    expect(await ledger.account(CREDITS)).toMatchObject({ leased: 128 });
  });

  test('calls credits back from other workspaces', async () => {
    const { ledger } = await start();
    await ledger.limit(CREDITS, 'lifetime', 100);
    await ledger.accept(OTHER, 10);
    const job = await ledger.accept(OWNER, 60);
    expect(job.holds).toHaveLength(3);
    await expect(ledger.accept(OWNER, 31)).rejects.toThrow(PaymentRequired);
    await ledger.accept(OTHER, 30);
  });
});

describe('a job that does not fit', () => {
  test('is refused by what was just read', async () => {
    const { ledger, calls } = await start();
    await ledger.limit(keyAccount('k'), 'daily', 10);
    calls();
    await expect(ledger.accept(OWNER, 11)).rejects.toThrow(PaymentRequired);
    expect(calls()).toEqual([READ]);
  });

  test('into what was read before is judged by what is there now', async () => {
    const { ledger, beside, calls } = await start();
    await ledger.limit(keyAccount('k'), 'daily', 10);
    await ledger.accept(OWNER, 10);
    calls();
    await expect(ledger.accept(OWNER, 10)).rejects.toThrow(PaymentRequired);
    expect(calls()).toEqual([READ]);
    await beside.limit(keyAccount('k'), 'daily', 20);
    calls();
    await ledger.accept(OWNER, 10);
    expect(calls()).toEqual([READ, WRITE]);
  });

  test('any more is refused even where what was read before leaves room', async () => {
    const { ledger, beside, calls } = await start();
    await ledger.limit(keyAccount('k'), 'daily', 20);
    await ledger.accept(OWNER, 10);
    await beside.limit(keyAccount('k'), 'daily', 10);
    calls();
    await expect(ledger.accept(OWNER, 10)).rejects.toThrow(PaymentRequired);
    expect(calls()).toEqual([WRITE, READ]);
  });

  test('is found before anything is written', async () => {
    const { dynamo, ledger, calls } = await start();
    await ledger.limit(CREDITS, 'lifetime', 100);
    const accounts = new AccountStore(dynamo, ledger.tables.accounts);
    const now = () => ledger.now;
    const ports = { accounts, book: new AccountBook(accounts, now), now };
    calls();
    await assertAffordable(aJob({ estimate_micros: micros(100) }), ports);
    expect(calls()).toEqual([READ]);
    await expect(assertAffordable(aJob({ estimate_micros: micros(101) }), ports)).rejects.toThrow(
      PaymentRequired,
    );
    expect(calls()).not.toContain(WRITE);
  });
});

describe('what else refuses a job', () => {
  const refusalOf = (accepted: Promise<unknown>) =>
    accepted.then(
      () => undefined,
      (error: unknown) => error,
    );

  test('is told at once, and nothing is written', async () => {
    const { ledger, calls, never } = await start();
    const refusal = await refusalOf(ledger.accept(OWNER, 1, { mine: never }));
    expect(refusal).toBeInstanceOf(TransactionRefused);
    expect(wasNotAccepted(refusal)).toBe(true);
    expect(calls()).toEqual([READ, WRITE]);
    expect(await ledger.account(keyAccount('k'))).toMatchObject({ reserved: 0, open_jobs: 0 });
  });

  test('is told even where an account has changed too', async () => {
    const { ledger, beside, calls, never } = await start();
    await ledger.accept(OWNER, 1);
    await beside.limit(keyAccount('k'), 'daily', 20);
    calls();
    await expect(ledger.accept(OWNER, 1, { mine: never })).rejects.toThrow(TransactionRefused);
    expect(calls()).toEqual([WRITE]);
  });

  test('may be the same job, accepted before', async () => {
    const { ledger, calls } = await start();
    await ledger.accept(OWNER, 1, {}, { id: 'vid_1' });
    calls();
    const refusal = await refusalOf(ledger.accept(OWNER, 1, {}, { id: 'vid_1' }));
    expect(refusal).toBeInstanceOf(TransactionRefused);
    expect(wasNotAccepted(refusal)).toBe(false);
    expect(calls()).toEqual([WRITE]);
  });

  test('may be that same job, where an account has changed too', async () => {
    const { ledger, beside, calls } = await start();
    await ledger.accept(OWNER, 1, {}, { id: 'vid_1' });
    await beside.limit(keyAccount('k'), 'daily', 20);
    calls();
    await expect(ledger.accept(OWNER, 1, {}, { id: 'vid_1' })).rejects.toThrow(TransactionRefused);
    expect(calls()).toEqual([WRITE]);
  });

  test('may be the table', async () => {
    const { ledger, calls, never } = await start();
    const gone = { ConditionCheck: { ...never.ConditionCheck, TableName: 'gone' } };
    await expect(ledger.accept(OWNER, 1, { gone })).rejects.toThrow();
    expect(calls()).toEqual([READ, WRITE]);
  });

  test.each([
    [new Conflict('no'), true],
    [new Error('connection lost'), false],
    [undefined, false],
  ])('tells by %s whether the job was certainly not written: %s', (error, isCertain) => {
    expect(wasNotAccepted(error)).toBe(isCertain);
  });
});

test('a job charges its key, its workspace, its guardrail and the credits, for each place', () => {
  const place = { endpoint: 'e', provider: 'p', estimate_micros: micros(9), is_byok: true };
  const job = aJob({
    workspace_id: 'w',
    key_hash: 'k',
    estimate_micros: micros(4),
    is_byok: false,
    alternatives: [place],
  });
  expect(accountsOf(job)).toEqual(['key#k', 'workspace#w', 'credits', 'lease#w']);
  expect(accountsOf({ ...job, guardrail_id: 'g' })).toContain('guardrail#g');
  expect(chargesOf(job)).toEqual([
    { micros: 4, isByok: false },
    { micros: 9, isByok: true },
  ]);
});
