import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { transact } from '../../functions/aws/dynamo-writes.ts';
import { defined } from '../../functions/defined.ts';
import { emptyAccount, workspaceAccount } from '../../functions/money/account.ts';
import { AccountStore } from '../../functions/money/account-store.ts';
import { holdOf } from '../../functions/money/hold.ts';
import { micros } from '../../functions/money/micros.ts';
import { AccountAudit, heldByRows, heldByTheIndex } from '../../functions/reconciling/account-audit.ts';
import { EventAudit, JobAudit } from '../../functions/reconciling/row-audits.ts';
import { shardOf } from '../../functions/sweeping/sparse-index.ts';
import type { Job } from '../../functions/videos/jobs/job.ts';
import { eventIdOf } from '../../functions/webhooks/events/event.ts';
import { EventStore } from '../../functions/webhooks/events/event-store.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { AwsWorld } from '../engines/index.ts';
import { aJob, START } from '../videos/jobs/job-fixture.ts';
import { anEvent } from '../webhooks/events/event-fixture.ts';

const DAY = 86_400_000;

function startAudits(lag = 0) {
  const world = new AwsWorld({ start: START, lag: () => lag });
  const stage = new DeployedStage(world);
  const { dynamo } = world.startProcess();
  const [jobsTable, eventsTable] = [stage.name('Videos-Jobs'), stage.name('Webhooks-Events')];
  const accountsTable = stage.name('Accounts');
  const events = new EventStore(dynamo, eventsTable);
  const put = (TableName: string, Item: object) => dynamo.send(new PutCommand({ TableName, Item }));
  return { world, dynamo, jobsTable, eventsTable, accountsTable, events, put };
}

let it: ReturnType<typeof startAudits>;
beforeEach(() => {
  it = startAudits();
});

describe('a job that has ended without an event', () => {
  const ended: Job = { ...aJob(), phase: 'settled', status: 'cancelled', completed_at: START.toISOString() };
  const auditAfter = (days: number) => {
    const now = () => new Date(START.getTime() + days * DAY);
    return new JobAudit({ client: it.dynamo, ...it, now });
  };

  test.each([
    [28, 1],
    [30, 0],
  ])('is found after %i days: %i', async (days, found) => {
    expect(await auditAfter(days).look([{ ...ended }])).toHaveLength(found);
  });

  test.each([
    ['is told', {}, true],
    ['is not told where it goes on', { phase: 'queued' }, false],
    ['is not told where it has ended otherwise', { status: 'failed' }, false],
  ])('%s', async (_, since, isTold) => {
    const [finding] = await auditAfter(1).look([{ ...ended }]);
    await it.put(it.jobsTable, { ...ended, ...since });
    const repaired = transact(it.dynamo, finding?.repair ?? {});
    expect(await repaired.then(() => true).catch(() => false)).toBe(isTold);
    expect((await it.events.find(eventIdOf(ended.id))) !== undefined).toBe(isTold);
  });
});

test.each([
  ['failed', 1],
  ['no_address', 1],
  ['delivered', 0],
] as const)('an event that is %s and cannot be recovered is a finding: %i', async (status, found) => {
  const audit = new EventAudit({ ...it, now: () => START });
  const event = { ...anEvent({ status }), job_id: 'vid_1' };
  expect(await audit.look([event])).toHaveLength(found);
  expect(await audit.look([{ ...event, lost_in: event.workspace_id }])).toEqual([]);
});

/** A job that holds 40 micro-dollars. */
const holdingJob = () => {
  const account = emptyAccount(workspaceAccount('w'));
  return { ...aJob(), holds: [holdOf(account, [{ micros: micros(40), isByok: false }], START)] };
};

describe.each([
  ['the index', heldByTheIndex, 1],
  ['all rows', heldByRows, 2],
] as const)('by %s', (_, held, jobs) => {
  test('open jobs hold money, and those that have ended or are in quarantine do not', async () => {
    const rows = {
      open: {},
      unmarked: { active: undefined },
      ended: { phase: 'settled' },
      out: { active: 'quarantined' },
    };
    for (const [id, fields] of Object.entries(rows))
      await it.put(it.jobsTable, defined({ ...holdingJob(), id, active: shardOf(id), ...fields }));
    await it.put(it.jobsTable, { id: `${aJob().id}#request` });
    expect(await held({ client: it.dynamo, ...it, now: () => START })).toEqual(
      new Map([['workspace#w', { micros: 40 * jobs, jobs }]]),
    );
  });
});

test.each([
  ['into quarantine', 'quarantined'],
  ['out of the sweeper’s index', undefined],
])('a job that the index still shows where it was is not counted once it has gone %s', async (_, active) => {
  it = startAudits(60_000);
  const { id, ...job } = holdingJob();
  await it.put(it.jobsTable, { id, ...job, active: shardOf(id) });
  await it.world.clock.wait(60_000);
  const held = () => heldByTheIndex({ client: it.dynamo, ...it, now: () => START });
  expect((await held()).size).toBe(1);
  await it.put(it.jobsTable, { id, ...job, ...defined({ active }) });
  expect((await held()).size).toBe(0);
});

test('a job that moves on in the index while its pages are read is counted once', async () => {
  const active = shardOf('vid_0');
  const ids = Array.from({ length: 900 }, (_, i) => `vid_${i}`).filter((id) => shardOf(id) === active);
  const row = (id: string, due_at: number) => ({ ...holdingJob(), id, active, due_at });
  await Promise.all(ids.map((id, i) => it.put(it.jobsTable, row(id, i))));
  let isPolled = false;
  it.dynamo.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const page = await next(args);
        if (commandName === 'BatchGetItemCommand' && !isPolled) {
          isPolled = true;
          await it.put(it.jobsTable, row('vid_0', ids.length));
        }
        return page;
      },
    { step: 'initialize' },
  );
  const held = await heldByTheIndex({ client: it.dynamo, ...it, now: () => START });
  expect([isPolled, ids.length > 100, held.get('workspace#w')?.jobs]).toEqual([true, true, ids.length]);
});

describe('all rows', () => {
  test('say what a job holds that the index does not show yet', async () => {
    it = startAudits(150_000);
    const job = holdingJob();
    await it.put(it.jobsTable, { ...job, active: shardOf(job.id) });
    const ports = { client: it.dynamo, ...it, now: () => START };
    expect((await heldByTheIndex(ports)).size).toBe(0);
    expect((await heldByRows(ports))?.size).toBe(1);
  });

  /** A clock that is read twice, so many milliseconds apart. */
  const readTwice = (milliseconds: number) => {
    const times = [START.getTime(), START.getTime() + milliseconds];
    return () => new Date(times.shift()!);
  };

  test('say nothing where they are too many to be read within two minutes', async () => {
    const held = (milliseconds: number) =>
      heldByRows({ client: it.dynamo, ...it, now: readTwice(milliseconds) });
    expect(await held(119_999)).toEqual(new Map());
    expect(await held(120_000)).toBeUndefined();
  });

  test.each<[string, number, boolean]>([
    ['lower what is reserved', 0, true],
    ['lower it only if all were read', 120_000, false],
  ])('%s', async (_, milliseconds, isRepaired) => {
    const job = holdingJob();
    await it.put(it.jobsTable, { ...job, active: shardOf(job.id) });
    const accounts = new AccountStore(it.dynamo, it.accountsTable);
    const audit = new AccountAudit({ client: it.dynamo, ...it, accounts, now: readTwice(milliseconds) });
    const row = { account: 'workspace#w', reserved: 41, open_jobs: 1 };
    await it.put(it.accountsTable, row);
    await audit.begin([]);
    const suspects = await audit.look([row]);
    expect(suspects.map(({ repair }) => repair)).toEqual([undefined]);
    await audit.begin(suspects);
    const [found] = await audit.look([row]);
    expect([found?.problem, found?.repair !== undefined, found?.isUnproven ?? false]).toEqual([
      'more is reserved than open jobs hold',
      isRepaired,
      !isRepaired,
    ]);
  });

  test.each([
    ['not read while every suspect moves', 8, 0],
    ['read where one does not', 7, 1],
  ])('are %s', async (_, moves, scans) => {
    const accounts = new AccountStore(it.dynamo, it.accountsTable);
    const audit = new AccountAudit({ client: it.dynamo, ...it, accounts, now: () => START });
    const row = { account: 'workspace#w', reserved: 41, open_jobs: 1, moves: 7 };
    await audit.begin([]);
    const suspects = await audit.look([row]);
    await it.put(it.accountsTable, { ...row, moves });
    await audit.begin(suspects);
    const { calls } = it.world.journal;
    expect(calls.filter(({ operation }) => operation === 'Scan')).toHaveLength(scans);
  });
});

test('the index is enough to raise what is reserved', async () => {
  const job = holdingJob();
  await it.put(it.jobsTable, { ...job, active: shardOf(job.id) });
  const accounts = new AccountStore(it.dynamo, 'accounts');
  const audit = new AccountAudit({ client: it.dynamo, ...it, accounts, now: () => START });
  await audit.begin([]);
  const [found] = await audit.look([{ account: 'workspace#w', reserved: 39, open_jobs: 1 }]);
  expect(found).toMatchObject({ problem: 'less is reserved than open jobs hold', repair: {} });
});
