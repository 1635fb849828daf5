import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { guardrailAccount, workspaceAccount } from '../../functions/money/account.ts';
import { AccountAudit } from '../../functions/reconciling/account-audit.ts';
import { CursorStore } from '../../functions/reconciling/audit.ts';
import { type ReconcilePorts, reconcile } from '../../functions/reconciling/reconcile.ts';
import { EventAudit, JobAudit } from '../../functions/reconciling/row-audits.ts';
import type { Job } from '../../functions/videos/jobs/job.ts';
import { settleJob } from '../../functions/videos/jobs/job-steps.ts';
import type { VideoProvider } from '../../functions/videos/providers/provider.ts';
import { cancelJob } from '../../functions/videos/worker/cancel-job.ts';
import { eventIdOf } from '../../functions/webhooks/events/event.ts';
import { StageProcess } from '../deployed/stage-process.ts';
import { SweptStage, slowProvider } from '../videos/worker/swept-stage.ts';

type Table = 'accounts' | 'events' | 'jobs';
type Fields = Record<string, unknown>;

/** A stage with jobs and the reconciler. */
class ReconciledStage extends SweptStage {
  readonly #own = new StageProcess(this.world, this.stage, 'reconciler');
  /** The contradictions that were logged. */
  readonly told: Fields[] = [];
  /** The number of contradictions in each run. */
  readonly counts: number[] = [];
  suspects = 0;
  /** Runs just before the reconciler writes a repair. */
  beforeRepair = async (): Promise<void> => undefined;
  readonly #audits;
  readonly #ports: ReconcilePorts;

  constructor(provider: VideoProvider, change: Partial<ReconcilePorts> = {}) {
    super(provider);
    const { now, accounts, events, aws, tables } = this.#own;
    const client = aws.dynamo;
    const shared = { client, jobsTable: tables.jobs, eventsTable: tables.events, accounts, events, now };
    this.#audits = [new EventAudit(shared), new JobAudit(shared), new AccountAudit(shared)];
    const log = {
      info: (_: string, { suspects }: Fields = {}) => {
        this.suspects += Number(suspects);
      },
      warn: () => undefined,
      error: (_: string, fields: Fields = {}) => void this.told.push(fields),
    };
    const countContradictions = (count: number) => {
      this.counts.push((this.counts.pop() ?? 0) + count);
    };
    client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (commandName === 'TransactWriteItemsCommand') await this.beforeRepair();
          return next(args);
        },
      { step: 'initialize' },
    );
    const cursors = new CursorStore(client, tables.accounts);
    const { wait: pause } = this.world.clock;
    this.#ports = { client, cursors, now, pause, countContradictions, log, ...change };
  }

  async reconcile(): Promise<void> {
    this.counts.push(0);
    await reconcile(this.#audits, this.#ports);
  }

  /** The number of pages read so far. */
  scans(): number {
    const { calls } = this.world.journal;
    return calls.filter(({ process, operation }) => process === 'reconciler' && operation === 'Scan').length;
  }

  read = (table: Table, id: string): Promise<Fields> => this.#own.row(this.tables[table], keyIn(table, id));

  /** Changes fields of a row. `undefined` removes a field. */
  plant = (table: Table, id: string, fields: Fields): Promise<void> =>
    this.#own.change(this.tables[table], keyIn(table, id), fields);
}

const keyIn = (table: Table, id: string) => (table === 'accounts' ? { account: id } : { id });

// One hour of the stage means some thousand calls.
const HOUR = 3_600_000;

/** A stage with one job at its provider and one that has ended. */
async function aStage() {
  const stage = new ReconciledStage(slowProvider());
  const [open, ended] = [await stage.accept(1), await stage.accept(2)];
  await cancelJob(ended, stage.ports);
  await stage.run(1);
  return { stage, open, ended };
}
type Planted = Awaited<ReturnType<typeof aStage>>;

const accountOf = ({ workspace_id }: Job) => workspaceAccount(workspace_id);

/** For each contradiction: how to write it, what the reconciler reports, and which row it must repair. */
const REPAIRED: Readonly<
  Record<
    string,
    [(p: Planted) => Promise<unknown>, string, (p: Planted) => ['accounts' | 'events' | 'jobs', string]]
  >
> = {
  'money is reserved for no job': [
    ({ stage, ended }) =>
      stage.plant('accounts', accountOf(ended), {
        reserved: 40_000,
        open_jobs: 1,
        lifetime: { period: 'lifetime', committed: 40_000, spent: 0, byok: 0 },
      }),
    'more is reserved than open jobs hold',
    ({ ended }) => ['accounts', accountOf(ended)],
  ],
  'less is reserved than a job holds': [
    ({ stage, open }) =>
      stage.plant('accounts', accountOf(open), {
        reserved: 0,
        open_jobs: 0,
        lifetime: { period: 'lifetime', committed: 0, spent: 0, byok: 0 },
      }),
    'less is reserved than open jobs hold',
    ({ open }) => ['accounts', accountOf(open)],
  ],
  'an open job has lost its mark': [
    ({ stage, open }) => stage.plant('jobs', open.id, { active: undefined }),
    'it is open, and no sweeper would find it',
    ({ open }) => ['jobs', open.id],
  ],
  'an ended job has kept its mark': [
    ({ stage, ended }) => stage.plant('jobs', ended.id, { active: 'active-3' }),
    'it has ended, and sweepers still find it',
    ({ ended }) => ['jobs', ended.id],
  ],
  'an ended job has no event': [
    async ({ stage, ended }) => {
      const { dynamo } = stage.world.startProcess();
      const Key = { id: eventIdOf(ended.id) };
      await dynamo.send(new DeleteCommand({ TableName: stage.tables.events, Key }));
    },
    'it has ended without an event',
    ({ ended }) => ['events', eventIdOf(ended.id)],
  ],
  'an event that is owed has lost its mark': [
    ({ stage, ended }) => stage.plant('events', eventIdOf(ended.id), { active: undefined }),
    'it is open, and no sweeper would find it',
    ({ ended }) => ['events', eventIdOf(ended.id)],
  ],
  'an event that was not delivered cannot be recovered': [
    async ({ stage, ended }) => {
      await stage.plant('events', eventIdOf(ended.id), { status: 'failed', active: undefined });
    },
    'it was not delivered, and cannot be recovered',
    ({ ended }) => ['events', eventIdOf(ended.id)],
  ],
};

/** Removes the fields that a repair writes with new values, such as times. */
const timeless = ({ body, created_at, due_at, place, moves, expires_at, ...row }: Record<string, unknown>) =>
  row;

describe.each(Object.entries(REPAIRED))('where %s', (name, [plant, problem, rowOf]) => {
  test('that is counted once, and repaired', async () => {
    const planted = await aStage();
    const { stage } = planted;
    const before = await stage.read(...rowOf(planted));
    await plant(planted);
    await stage.reconcile();
    expect(stage.told).toEqual([expect.objectContaining({ problem, outcome: 'repaired' })]);
    const after = await stage.read(...rowOf(planted));
    const lost = name.startsWith('an event that was not') ? { status: 'failed', lost_in: 'ws-2' } : {};
    const { active, ...rest } = timeless(before);
    expect(timeless(after)).toEqual({ ...rest, ...(lost.status === undefined ? { active } : {}), ...lost });
    await stage.reconcile();
    expect(stage.counts).toEqual([1, 0]);
  });
});

/** Contradictions that are only reported: nothing proves what is right, or another program repairs them. */
const REPORTED: Readonly<Record<string, [(p: Planted) => Promise<unknown>, string]>> = {
  'an account has committed what nobody holds or has spent': [
    ({ stage, ended }) =>
      stage.plant('accounts', accountOf(ended), {
        lifetime: { period: 'lifetime', committed: 1, spent: 0, byok: 0 },
      }),
    'committed is not the sum of reserved, leased and spent',
  ],
  'a guardrail has committed what nobody holds or has spent': [
    ({ stage }) =>
      stage.plant('accounts', guardrailAccount('guardrail-1'), {
        lifetime: { period: 'lifetime', committed: 1, spent: 0, byok: 0 },
      }),
    'committed is not the sum of reserved, leased and spent',
  ],
  'an account cannot be read': [
    ({ stage, ended }) => stage.plant('accounts', accountOf(ended), { limits: 'none' }),
    'the account cannot be read',
  ],
  'a job is open ten minutes after its deadline': [
    ({ stage, open }) =>
      stage.plant('jobs', open.id, { deadline_at: stage.ports.now().getTime() - 600_000, due_at: 0 }),
    'it is open ten minutes after its deadline',
  ],
  'an event is owed that nobody looks at': [
    ({ stage, ended }) =>
      stage.plant('events', eventIdOf(ended.id), { due_at: stage.ports.now().getTime() - HOUR }),
    'it has been due for an hour, and no worker or sweeper has moved it',
  ],
};

describe.each(Object.entries(REPORTED))('where %s', (_, [plant, problem]) => {
  test('that is reported in each run, and not repaired', async () => {
    const planted = await aStage();
    const { stage } = planted;
    await plant(planted);
    await stage.reconcile();
    await stage.reconcile();
    expect(stage.told).toEqual(
      [1, 2].map(() => expect.objectContaining({ problem, outcome: 'reported', row_id: expect.any(String) })),
    );
    expect(stage.counts).toEqual([1, 1]);
  });
});

test('a job is not late a moment before, nor an event, nor is money on a workspace’s own key a contradiction', async () => {
  const { stage, open, ended } = await aStage();
  const now = stage.ports.now().getTime();
  await stage.plant('jobs', open.id, { deadline_at: now - 600_000 + 120_000, due_at: 0 });
  const copied = await stage.accept(3);
  const leaseUntil = now + HOUR;
  await stage.plant('jobs', copied.id, { phase: 'copying', deadline_at: now - HOUR, due_at: leaseUntil });
  await stage.plant('events', eventIdOf(ended.id), { due_at: now - HOUR + 120_000 });
  await stage.plant('accounts', accountOf(ended), {
    lifetime: { period: 'lifetime', committed: 7, spent: 0, byok: 7 },
  });
  await stage.reconcile();
  expect([stage.counts, stage.suspects]).toEqual([[0], 0]);
});

test('an event with an unknown status is left to the sweeper, which will quarantine it', async () => {
  const { stage, ended } = await aStage();
  await stage.plant('events', eventIdOf(ended.id), { status: 'paused' });
  const before = await stage.read('events', eventIdOf(ended.id));
  await stage.reconcile();
  expect(await stage.read('events', eventIdOf(ended.id))).toEqual(before);
  expect(before.active).toMatch(/^active-/);
});

test('a job whose video is being copied is not late during the copy’s lease', async () => {
  const { stage, open } = await aStage();
  const now = stage.ports.now().getTime();
  const late = { phase: 'copying', deadline_at: now - HOUR };
  await stage.plant('jobs', open.id, { ...late, due_at: now, leased_until: now + 120_000 });
  await stage.reconcile();
  // As versions wrote it that moved `due_at` with the lease.
  await stage.plant('jobs', open.id, { ...late, due_at: now + 120_000, leased_until: now });
  await stage.reconcile();
  expect([stage.counts, stage.suspects]).toEqual([[0, 0], 0]);
  await stage.plant('jobs', open.id, { ...late, due_at: now, leased_until: now });
  await stage.reconcile();
  expect(stage.told).toEqual([
    expect.objectContaining({ problem: 'it is open ten minutes after its deadline' }),
  ]);
});

test('a repair fails if the account has changed since it was compared', async () => {
  const { stage, open } = await aStage();
  const wrong = { period: 'lifetime', committed: 1, spent: 0, byok: 0 };
  await stage.plant('accounts', accountOf(open), { reserved: 1, lifetime: wrong });
  // The job ends just before the repair is written.
  stage.beforeRepair = async () => {
    stage.beforeRepair = async () => undefined;
    const job = (await stage.jobs.find(open.id))!;
    await settleJob(job, { type: 'failed', reason: 'as it was told' }, stage.ports);
  };
  await stage.reconcile();
  expect(stage.told).toEqual([expect.objectContaining({ outcome: 'moved meanwhile' })]);
  expect(await stage.read('accounts', accountOf(open))).toMatchObject({ reserved: 1 - 40_000, open_jobs: 0 });
  await stage.reconcile();
  expect(await stage.read('accounts', accountOf(open))).toMatchObject({ reserved: 0, open_jobs: 0 });
});

describe('while jobs are accepted, processed and ended', () => {
  test.each([1, 2])('no contradiction is counted, however late the indexes are (%s)', async (seed) => {
    const provider = slowProvider();
    const stage = new ReconciledStage(provider);
    let random = seed;
    stage.lag = () => {
      random = (random * 16_807) % 2_147_483_647;
      return random % 30_000;
    };
    let accepted = 0;
    let isOver = false;
    const live = async () => {
      await stage.run(12, async () => {
        provider.isDone = !provider.isDone;
        for (let i = 0; i < 3; i++) await stage.accept(++accepted, {});
        const job = await stage.jobs.find(`vid_${String(accepted).padStart(26, '0')}`);
        if (accepted % 4 === 0 && job !== undefined) await cancelJob(job, stage.ports);
      });
      isOver = true;
    };
    const audit = async () => {
      while (!isOver) {
        await stage.reconcile();
        await stage.world.clock.wait(1_700);
      }
    };
    await Promise.all([live(), audit()]);
    expect(stage.told).toEqual([]);
    // The first look alone would have been wrong. The reconciler only acts on what two looks confirm.
    expect(stage.suspects).toBeGreaterThan(0);
  });
});

describe('a job that the index shows minutes late', () => {
  /** The index, and no other read, is two and a half minutes late with the next job. */
  async function acceptLate(stage: ReconciledStage) {
    // A job's rows are the first that its transaction writes; accounts come after them.
    let written = 0;
    stage.lag = () => (written++ < 2 ? 150_000 : 0);
    const job = await stage.accept(1);
    stage.lag = () => 0;
    return job;
  }

  test('keeps its money, and is no contradiction', async () => {
    const stage = new ReconciledStage(slowProvider());
    const job = await acceptLate(stage);
    await stage.reconcile();
    expect([stage.suspects > 0, stage.counts, stage.told]).toEqual([true, [0], []]);
    for (const account of await stage.accountsOf(job)) {
      expect(account).toMatchObject({ reserved: 40_000, open_jobs: 1, lifetime: { committed: 40_000 } });
    }
  });

  test('leaves no count below zero when it ends', async () => {
    const stage = new ReconciledStage(slowProvider());
    const job = await acceptLate(stage);
    await stage.reconcile();
    await cancelJob((await stage.jobs.find(job.id))!, stage.ports);
    for (const account of await stage.accountsOf(job)) {
      expect(account).toMatchObject({ reserved: 0, open_jobs: 0, lifetime: { committed: 0 } });
    }
  });
});

describe('a run whose time is over', () => {
  test('stops between two pages, and the next run continues there', async () => {
    let time = Date.now();
    // Each look at the clock costs a minute, so one run reads only a few pages.
    const now = () => {
      time += 60_000;
      return new Date(time);
    };
    const stage = new ReconciledStage(slowProvider(), { now });
    for (let i = 0; i < 550; i++) {
      const reserved = i === 0 || i === 549 ? 1 : 0;
      await stage.plant('accounts', `workspace#${i}`, { reserved, open_jobs: 0 });
    }
    const pages: number[] = [];
    for (let run = 0; run < 4; run++) {
      const before = stage.scans();
      await stage.reconcile();
      pages.push(stage.scans() - before);
    }
    // A round has eight pages: two of events and jobs without contradictions, and six of accounts. Then the next round
    // begins. In the second and the third run all jobs are read as well, to prove what is wrong with an account.
    expect(pages).toEqual([3, 3 + 1, 2 + 1, 3]);
    expect(stage.told.map(({ row_id }) => row_id).toSorted()).toEqual(['workspace#0', 'workspace#549']);
  });

  test('leaves what it has not repaired, and everything that depends on it, to the next run', async () => {
    const { stage, open } = await aStage();
    await stage.plant('jobs', open.id, { active: undefined });
    stage.world.faults = ({ process, operation }) =>
      process === 'reconciler' && operation === 'TransactWriteItems' ? 'error' : undefined;
    await expect(stage.reconcile()).rejects.toThrow('jobs: not everything could be repaired');
    expect(stage.told).toEqual([expect.objectContaining({ audit: 'jobs', outcome: 'not repaired' })]);
    stage.world.faults = () => undefined;
    await stage.reconcile();
    await stage.reconcile();
    expect(stage.told.slice(1)).toEqual([expect.objectContaining({ audit: 'jobs', outcome: 'repaired' })]);
    expect(await stage.read('accounts', accountOf(open))).toMatchObject({ reserved: 40_000, open_jobs: 1 });
  });
});
