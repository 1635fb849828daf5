import { ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import type { TransactItem } from '../../../functions/aws/dynamo-writes.ts';
import { keyAccount, workspaceAccount } from '../../../functions/money/account.ts';
import { AccountBook } from '../../../functions/money/account-book.ts';
import { AccountStore } from '../../../functions/money/account-store.ts';
import { SweptRows } from '../../../functions/sweeping/swept-rows.ts';
import { acceptJob } from '../../../functions/videos/jobs/accept-job.ts';
import { settlementEvent } from '../../../functions/videos/jobs/job-event.ts';
import { failures } from '../../../functions/videos/jobs/job-failure.ts';
import { JobStore } from '../../../functions/videos/jobs/job-store.ts';
import {
  Quarantine,
  QuarantinedJobs,
  type QuarantineStores,
} from '../../../functions/videos/jobs/quarantine.ts';
import { JOB_ROWS } from '../../../functions/videos/jobs/sweep-job.ts';
import { EVENT_ID, eventIdOf } from '../../../functions/webhooks/events/event.ts';
import { EventStore } from '../../../functions/webhooks/events/event-store.ts';
import { createTable } from '../../engines/conformance/index.ts';
import { AwsWorld } from '../../engines/index.ts';
import { aJob, START } from './job-fixture.ts';

const LATER = new Date(START.getTime() + 3_600_000);
const ID = aJob().id;
const EVENT = eventIdOf(ID);

type Accounts = QuarantineStores['accounts'];

/** An accepted job that is overdue. */
async function start() {
  const world = new AwsWorld();
  const { dynamo } = world.startProcess();
  const [table = '', events = '', money = ''] = await Promise.all(
    ['id', 'id', 'account'].map((key) => createTable(dynamo, key)),
  );
  const accounts = new AccountStore(dynamo, money);
  const stores = {
    jobs: new JobStore(dynamo, table, () => undefined),
    events: new EventStore(dynamo, events),
    accounts,
  };
  const now = () => START;
  const ports = { client: dynamo, ...stores, book: new AccountBook(accounts, now), now };
  const job = await acceptJob(aJob(), {}, ports);
  const rows = new SweptRows(dynamo, table, JOB_ROWS);
  const row = async () =>
    (await dynamo.send(new GetCommand({ TableName: table, Key: { id: ID }, ConsistentRead: true }))).Item;
  const change = async (fields: Record<string, unknown>) =>
    dynamo.send(new PutCommand({ TableName: table, Item: { ...(await row()), ...fields } }));
  const overdue = async () => {
    const found = await rows.find(ID);
    if (found === undefined) throw new Error('the job is not due');
    return found;
  };
  const logged: unknown[] = [];
  const log = { error: (...line: unknown[]) => void logged.push(line) };
  const quarantine = (own: Partial<Accounts> = {}) =>
    new Quarantine(dynamo, { ...stores, accounts: { ...accountsOf(accounts), ...own } }, log);
  const add = async (own?: Partial<Accounts>) => quarantine(own).add(await overdue(), 'why', LATER);
  let seen = world.journal.calls.length;
  /** Since it was last asked. */
  const writes = () => {
    const latest = world.journal.calls.slice(seen);
    seen = world.journal.calls.length;
    return latest.filter(({ operation }) => operation === 'TransactWriteItems').length;
  };
  const jobs = new QuarantinedJobs(dynamo, { jobs: table, events });
  const event = () => stores.events.find(EVENT);
  return {
    dynamo,
    table,
    money,
    stores,
    job,
    row,
    change,
    overdue,
    quarantine,
    add,
    logged,
    writes,
    jobs,
    event,
  };
}

const accountsOf = (accounts: Accounts): Accounts => ({
  readOne: (id) => accounts.readOne(id),
  settle: (...given) => accounts.settle(...given),
  count: (activity) => accounts.count(activity),
});

const neverIn = (TableName: string, key: string): TransactItem => ({
  ConditionCheck: { TableName, Key: { [key]: 'nobody' }, ConditionExpression: `attribute_exists(${key})` },
});

describe('a job that is taken out', () => {
  test('ends as failed, with its event, and gives its money back', async () => {
    const { stores, job, row, add, writes, event, logged } = await start();
    writes();
    expect(await add()).toBe(true);
    expect(writes()).toBe(1);
    expect(await row()).toMatchObject({
      status: 'failed',
      phase: 'settled',
      error: 'The job could not continue; it is not charged',
      error_kind: failures.internal,
      workspace_status: `${job.workspace_id}#failed`,
      active: 'quarantined',
      quarantine: { at: LATER.toISOString(), reason: 'why' },
    });
    expect(await event()).toMatchObject({ type: 'video.generation.failed', job_id: ID });
    for (const id of [keyAccount(job.key_hash), workspaceAccount(job.workspace_id)]) {
      expect(await stores.accounts.readOne(id)).toMatchObject({
        reserved: 0,
        open_jobs: 0,
        lifetime: { committed: 0, spent: 0 },
      });
    }
    expect(logged).toEqual([]);
  });

  test('stays as it is where somebody has moved it', async () => {
    const { row, change, overdue, quarantine, writes, event } = await start();
    const read = await overdue();
    await change({ step: 'moved' });
    const moved = await row();
    writes();
    expect(await quarantine().add(read, 'why', LATER)).toBe(false);
    expect(writes()).toBe(1);
    expect([await row(), await event()]).toEqual([moved, undefined]);
  });

  test('keeps the event of its end that was told before', async () => {
    const { stores, row, job, add, writes, event } = await start();
    const told = settlementEvent({ ...job, status: 'cancelled' }, START);
    await stores.events.create(told);
    writes();
    expect(await add()).toBe(true);
    expect(writes()).toBe(2);
    expect(await event()).toEqual(told);
    expect(await row()).toMatchObject({ status: 'failed' });
  });

  test('tells no end where its workspace cannot be read', async () => {
    const { row, change, add, event } = await start();
    await change({ workspace_id: undefined });
    expect(await add()).toBe(true);
    expect([(await row())?.status, await event()]).toEqual(['failed', undefined]);
  });
});

describe('the money of a job that is taken out', () => {
  test('stays where its account cannot be read, and that is logged', async () => {
    const { dynamo, money, job, add, logged, stores } = await start();
    const account = keyAccount(job.key_hash);
    const broken = { account, reserved: 'a lot' };
    await dynamo.send(new PutCommand({ TableName: money, Item: broken }));
    expect(await add()).toBe(true);
    expect(logged).toEqual([
      ['money not released', { job_id: ID, account, error: expect.objectContaining({ name: 'ValiError' }) }],
    ]);
    expect(await stores.accounts.readOne(workspaceAccount(job.workspace_id))).toMatchObject({ reserved: 0 });
  });

  test('is not given up where its account could not be asked for', async () => {
    const { row, add, logged } = await start();
    const readOne = () => Promise.reject(new Error('connection lost'));
    await expect(add({ readOne })).rejects.toThrow('connection lost');
    expect([(await row())?.status, logged]).toEqual(['pending', []]);
  });

  const refusing = (items: readonly TransactItem[], times: number) => {
    let asked = 0;
    return { settle: () => (asked++ < times ? [...items] : []) };
  };

  test.each([1, 3])('is released after %i changes of its accounts', async (times) => {
    const { money, row, add, writes, event } = await start();
    writes();
    expect(await add(refusing([neverIn(money, 'account')], times))).toBe(true);
    expect(writes()).toBe(times + 1);
    expect(await row()).toMatchObject({ status: 'failed' });
    expect(await event()).toMatchObject({ type: 'video.generation.failed' });
  });

  test('is given up after four changes of its accounts, and so is the job', async () => {
    const { money, row, add, writes, event } = await start();
    writes();
    await expect(add(refusing([neverIn(money, 'account')], 4))).rejects.toThrow('changed 4 times');
    expect(writes()).toBe(4);
    expect([(await row())?.status, await event()]).toEqual(['pending', undefined]);
  });

  test('is tried for once where AWS does not take the write', async () => {
    const { add, writes } = await start();
    writes();
    await expect(add(refusing([neverIn('gone', 'account')], 4))).rejects.toThrow(ResourceNotFoundException);
    expect(writes()).toBe(1);
  });
});

describe('a job that is let out again', () => {
  test('is as it was, holds nothing, and can tell its new end', async () => {
    const { row, add, jobs, event } = await start();
    const before = await row();
    await add();
    const again = new Date(LATER.getTime() + 1);
    expect(await jobs.release(ID, again)).toBe(true);
    expect(await row()).toMatchObject({
      status: 'pending',
      phase: 'queued',
      active: before?.active,
      due_at: again.getTime(),
      released_at: again.getTime(),
      holds: [],
    });
    expect(await event()).toBeUndefined();
  });

  test('tells its new end under another webhook-id each time', async () => {
    const { stores, job, row, add, jobs, event } = await start();
    const known = new Set([EVENT]);
    for (let release = 1; release <= 2; release++) {
      await add();
      expect(await event()).toMatchObject({ id: EVENT, job_id: ID });
      await jobs.release(ID, new Date(LATER.getTime() + release));
      const read = await stores.jobs.find(ID);
      known.add(settlementEvent({ ...job, ...read, status: 'completed' }, LATER).webhook_id ?? '');
    }
    expect(known.size).toBe(3);
    for (const id of known) expect(id).toMatch(EVENT_ID);
    expect(await row()).toMatchObject({ released_at: LATER.getTime() + 2 });
  });

  test('must be in quarantine', async () => {
    const { row, jobs, writes } = await start();
    const before = await row();
    writes();
    expect([await jobs.release(ID, LATER), await jobs.release('vid_2', LATER)]).toEqual([false, false]);
    expect(writes()).toBe(0);
    expect(await row()).toEqual(before);
  });
});
