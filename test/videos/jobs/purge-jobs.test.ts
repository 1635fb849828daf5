import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { generationOf } from '../../../functions/generations/generation.ts';
import { micros } from '../../../functions/money/micros.ts';
import { JobAudit } from '../../../functions/reconciling/row-audits.ts';
import { type Job, type JobWithRequest, ROW_DAYS } from '../../../functions/videos/jobs/job.ts';
import { settlementEvent } from '../../../functions/videos/jobs/job-event.ts';
import { failures } from '../../../functions/videos/jobs/job-failure.ts';
import { JobPurge, strippedRow } from '../../../functions/videos/jobs/purge-jobs.ts';
import { purgeWorkspace } from '../../../functions/workspaces/remove-workspace.ts';
import { DeployedStage } from '../../deployed/deployed-stage.ts';
import { StageProcess } from '../../deployed/stage-process.ts';
import { AwsWorld, faultAt, noFaults } from '../../engines/index.ts';
import { aJob, START } from './job-fixture.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const LATER = new Date(START.getTime() + DAY);
const AN_HOUR_BEFORE = new Date(LATER.getTime() - HOUR);

/** An ended job with a planted word wherever its caller, or a provider, can write. */
const planted = (change: Partial<JobWithRequest> = {}): JobWithRequest => {
  const job = aJob();
  return {
    ...job,
    request: { ...job.request, prompt: 'planted', options: { note: 'planted' } },
    other_options: { fal: { note: 'planted' } },
    callback_url: 'https://planted.example/planted',
    public_url: 'https://planted.example',
    metadata: { planted: 'planted' },
    warnings: ['planted is not read'],
    ref: { url: 'https://planted.example' },
    upstream_id: 'up-1',
    generation_id: 'gen_01jg000000000000000000000a',
    copy_error: 'planted',
    error: 'the prompt "planted" is refused',
    error_kind: failures.moderation,
    outputs: [{ key: 'kept-30d/ws-1/planted/0.mp4', size_bytes: 5, sha256: 'planted' }],
    history: [...job.history, { at: START.toISOString(), status: 'failed', detail: 'planted' }],
    status: 'failed',
    phase: 'settled',
    cost_micros: micros(40_000),
    completed_at: START.toISOString(),
    expires_at: (START.getTime() + ROW_DAYS * DAY) / 1000,
    ...change,
  };
};

describe('the row of a job whose workspace is gone', () => {
  const { request: _, other_options: __, ...row } = planted();

  test('has nothing that a caller or a provider wrote', () => {
    expect(JSON.stringify(row)).toContain('planted');
    expect(JSON.stringify(strippedRow(row, LATER))).not.toContain('planted');
  });

  test('has the ids, the model, the times and the cost that reports show', () => {
    const stripped = generationOf(strippedRow(row, LATER));
    const before = generationOf(row);
    expect(stripped).toEqual({
      ...before,
      outputs: [],
      failure: { ...before?.failure, message: 'The reason was deleted with the workspace' },
    });
  });
});

let world: AwsWorld;
let stage: StageProcess;
let removed: string[];
beforeEach(() => {
  world = new AwsWorld({ start: START });
  stage = new StageProcess(world, new DeployedStage(world));
  removed = [];
});

const purgeBy = ({ aws, tables }: StageProcess) =>
  new JobPurge(aws.dynamo, tables.jobs, {
    removeUpstream: async ({ id }) => void removed.push(id),
    now: () => LATER,
  });

const idOf = (number: number) => `vid_${String(number).padStart(26, '0')}`;

/** Writes rows as the stage has them, though nothing has happened. */
async function insert(...jobs: JobWithRequest[]): Promise<void> {
  for (const job of jobs) {
    for (const { Put } of stage.jobs.insertion(job)) {
      const { TableName, Item } = Put;
      const { active: _, ...ended } = { active: undefined, ...Item };
      await stage.change(TableName, { id: Item.id }, job.phase === 'settled' ? ended : Item);
    }
  }
}

async function rows(): Promise<Record<string, unknown>[]> {
  const { Items = [] } = await stage.aws.dynamo.send(new ScanCommand({ TableName: stage.tables.jobs }));
  return Items;
}

async function* none(): AsyncGenerator<never> {
  // Empty: the workspace had none.
}

/** What an audit finds. */
async function look(): Promise<unknown[]> {
  const { events: eventsTable, jobs: jobsTable } = stage.tables;
  const { dynamo: client } = stage.aws;
  const ports = { client, jobsTable, eventsTable, events: stage.events, now: () => LATER };
  return new JobAudit(ports).look(await rows());
}

/** Strips until nothing can be done; returns how many calls that took, and what is left. */
async function strip(after?: string) {
  const purge = purgeBy(stage);
  for (let calls = 1, last = after; ; calls++) {
    const stripped = await purge.stripSome('ws-1', last, AN_HOUR_BEFORE);
    last = stripped.last ?? last;
    if (stripped.left !== 'more') return { calls, last, left: stripped.left };
  }
}

describe('the jobs of a workspace', () => {
  test('are stripped a hundred at a time, and those of others are not', async () => {
    await insert(...Array.from({ length: 250 }, (_, i) => planted({ id: idOf(i) })));
    await insert(planted({ id: idOf(999), workspace_id: 'ws-2' }));
    expect(await strip()).toEqual({ calls: 3, last: idOf(249), left: 'none' });
    const left = await rows();
    expect(left.filter((row) => JSON.stringify(row).includes('planted')).map(({ id }) => id)).toEqual(
      expect.arrayContaining([idOf(999), `${idOf(999)}#request`]),
    );
    expect(left).toHaveLength(252);
    expect(removed).toHaveLength(250);
  });

  test('that are stripped are not read again', async () => {
    await insert(planted());
    const { last } = await strip();
    const writes = () => world.journal.calls.filter(({ operation }) => operation === 'PutItem').length;
    const before = writes();
    expect(await strip(last)).toMatchObject({ calls: 1, left: 'none' });
    expect(await strip()).toMatchObject({ calls: 1, left: 'none' });
    expect(writes()).toBe(before);
    expect(removed).toHaveLength(1);
  });

  test.each<[string, Partial<Job>]>([
    ['runs', { phase: 'polling', status: 'in_progress' }],
    ['has ended within the hour', { completed_at: AN_HOUR_BEFORE.toISOString() }],
  ])('wait for one that %s, with those behind it', async (_, change) => {
    await insert(planted({ id: idOf(1) }), planted({ id: idOf(2), ...change }), planted({ id: idOf(3) }));
    expect(await strip()).toEqual({ calls: 1, last: idOf(1), left: 'open' });
    expect(removed).toEqual([idOf(1)]);
    await insert(planted({ id: idOf(2) }));
    expect(await strip(idOf(1))).toEqual({ calls: 1, last: idOf(3), left: 'none' });
    expect(JSON.stringify(await rows())).not.toContain('planted');
  });

  test('are stripped even where their rows cannot be read, or are of older versions', async () => {
    const { request, ...job } = planted();
    await stage.change(stage.tables.jobs, { id: job.id }, { ...job, request, seq: 'planted' });
    const quarantine = { at: '', reason: 'planted', changed: [], before: { metadata: 'planted' } };
    await stage.change(
      stage.tables.jobs,
      { id: idOf(2) },
      { ...job, id: idOf(2), active: 'quarantined', quarantine },
    );
    expect(await strip()).toMatchObject({ left: 'none' });
    expect(JSON.stringify(await rows())).not.toMatch(/planted|quarantine/);
  });

  test('are stripped in the end, although each call of a run is the last of its process', async () => {
    for (let nth = 1; nth < 12; nth++) {
      for (const fault of ['crash before', 'crash after', 'unprocessed', 'answer lost'] as const) {
        world = new AwsWorld({ start: START });
        stage = new StageProcess(world, new DeployedStage(world));
        await insert(planted({ id: idOf(1) }), planted({ id: idOf(2) }));
        const sweeper = new StageProcess(world, stage.stage, 'sweeper');
        const operation = fault === 'unprocessed' ? { operation: 'BatchWriteItem' } : {};
        const first = world.journal.count;
        world.faults = faultAt({ process: 'sweeper', index: first + nth, ...operation }, fault);
        const run = purgeBy(sweeper).stripSome('ws-1', undefined, AN_HOUR_BEFORE);
        await Promise.race([run, sweeper.aws.process.crashed]);
        world.faults = noFaults;
        await strip();
        expect(JSON.stringify(await rows())).not.toContain('planted');
      }
    }
  });

  test('keep their events until all of them are stripped, so that no end is told again', async () => {
    const ended = [
      planted({ id: idOf(1), completed_at: AN_HOUR_BEFORE.toISOString() }),
      planted({ id: idOf(2) }),
    ];
    await insert(...ended);
    for (const job of ended) await stage.events.create(settlementEvent(job, START));
    const done = async () => undefined;
    const removal = { id: 'ws-1', slug: 'one', removed_at: START.toISOString(), slug_freed: true };
    const isDone = await purgeWorkspace(removal, LATER, {
      removals: { freeSlug: done, noteStripped: done, noteEmptied: done, forget: done },
      providerKeys: { list: none, remove: async () => false },
      lists: { write: done },
      guardrails: { clear: done },
      webhooks: { clear: done },
      broadcasts: { remove: done },
      jobs: purgeBy(stage),
      holdings: [stage.events],
      now: () => LATER,
    });
    expect([isDone, await look()]).toEqual([false, []]);
  });

  test('contradict nothing although their events are gone', async () => {
    await insert(planted());
    expect(await look()).toMatchObject([{ problem: 'it has ended without an event' }]);
    await strip();
    expect(await look()).toEqual([]);
  });
});
