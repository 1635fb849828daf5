import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { transact } from '../../functions/aws/dynamo-writes.ts';
import { defined } from '../../functions/defined.ts';
import { emptyAccount, workspaceAccount } from '../../functions/money/account.ts';
import { holdOf } from '../../functions/money/hold.ts';
import { micros } from '../../functions/money/micros.ts';
import { openHolds } from '../../functions/reconciling/account-audit.ts';
import { EventAudit } from '../../functions/reconciling/event-audit.ts';
import { JobAudit } from '../../functions/reconciling/job-audit.ts';
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
  const events = new EventStore(dynamo, eventsTable);
  const put = (TableName: string, Item: object) => dynamo.send(new PutCommand({ TableName, Item }));
  return { world, dynamo, jobsTable, eventsTable, events, put };
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

test('open jobs hold money, and those that have ended or are in quarantine do not', async () => {
  const account = emptyAccount(workspaceAccount('w'));
  const holds = [holdOf(account, [{ micros: micros(40), isByok: false }], START)];
  const rows = { open: {}, ended: { phase: 'settled' }, out: { active: 'quarantined' } };
  for (const [id, fields] of Object.entries(rows))
    await it.put(it.jobsTable, { ...aJob(), id, holds, active: shardOf(id), ...fields });
  expect(await openHolds(it.dynamo, it.jobsTable)).toEqual(
    new Map([[account.account, { micros: 40, jobs: 1 }]]),
  );
});

test.each([
  ['into quarantine', 'quarantined'],
  ['out of the sweeper’s index', undefined],
])('a job that the index still shows where it was holds nothing once it has gone %s', async (_, active) => {
  it = startAudits(60_000);
  const account = emptyAccount(workspaceAccount('w'));
  const holds = [holdOf(account, [{ micros: micros(40), isByok: false }], START)];
  const { id, ...job } = { ...aJob(), holds };
  await it.put(it.jobsTable, { id, ...job, active: shardOf(id) });
  await it.world.clock.wait(60_000);
  const open = () => openHolds(it.dynamo, it.jobsTable);
  expect((await open()).size).toBe(1);
  await it.put(it.jobsTable, { id, ...job, ...defined({ active }) });
  expect((await open()).size).toBe(0);
});
