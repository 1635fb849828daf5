import { describe, expect, test } from '@jest/globals';
import { Conflict } from '../../../functions/http/errors.ts';
import { keyAccount } from '../../../functions/money/account.ts';
import type { Job } from '../../../functions/videos/jobs/job.ts';
import { ProviderError } from '../../../functions/videos/providers/provider.ts';
import { cancelJob } from '../../../functions/videos/worker/cancel-job.ts';
import { SweptStage, slowProvider } from './swept-stage.ts';

// One hour of the stage means some thousand calls.
const ERROR = 'The job could not continue; it is not charged';

/** Damage that workers cannot repair, and the reason that the quarantine gives. */
const KINDS: Readonly<Record<string, [(stage: SweptStage, job: Job) => Promise<void>, RegExp]>> = {
  'whose phase is unknown': [
    (stage, { id }) => stage.change(id, { phase: 'paused' }),
    /cannot be read: phase$/,
  ],
  'whose row lacks its model': [
    (stage, { id }) => stage.change(id, { model: undefined }),
    /cannot be read: model$/,
  ],
  'whose row lacks its workspace': [
    (stage, { id }) => stage.change(id, { workspace_id: undefined }),
    /cannot be read: workspace_id$/,
  ],
  'whose row the sweeper would not find': [
    (stage, { id }) => stage.change(id, { phase: 'paused', active: undefined, due_at: undefined }),
    /cannot be read: phase$/,
  ],
  'with a damaged hold': [
    (stage, { id, holds }) => stage.change(id, { holds: [...holds, { account: 'key#x' }] }),
    /cannot be read: holds\.2/,
  ],
  'whose account cannot be written': [
    (stage, job) => stage.changeAccount(keyAccount(job.key_hash), 'reserved', 'a lot'),
    /workers fail on it: \w+: /,
  ],
};

/** Checks that the job never has more than one message. */
async function expectOneMessage(stage: SweptStage): Promise<void> {
  expect(await stage.messages()).toBeLessThanOrEqual(1);
}

describe.each(Object.entries(KINDS))('a job %s', (_, [poison, reason]) => {
  test('is failed within ten minutes after its deadline, and had one message at a time', async () => {
    const stage = new SweptStage(slowProvider());
    const job = await stage.accept(1);
    await poison(stage, job);
    await stage.runToDeadline(job, 10, () => expectOneMessage(stage));
    const row = await stage.row(job.id);
    expect(row).toMatchObject({ status: 'failed', phase: 'settled', error: ERROR });
    expect(row.expires_at).toBeGreaterThan(stage.ports.now().getTime() / 1000);
    expect(stage.quarantined).toBe(1);
    const listed = await stage.jobs.list(String(row.workspace_id), { status: 'failed' }, 10);
    expect(listed.rows.map(({ id }) => id)).toEqual([job.id]);
    expect(await Array.fromAsync(stage.quarantine.list())).toEqual([
      expect.objectContaining({ id: job.id, reason: expect.stringMatching(reason) }),
    ]);
    // After that nothing works on the job any more.
    const received = stage.received.length;
    await stage.run(30);
    expect([stage.received.length, await stage.messages()]).toEqual([received, 0]);
  });

  test('has its money released if there is an account, and its end reported if there is a workspace', async () => {
    const stage = new SweptStage(slowProvider());
    const job = await stage.accept(1);
    await poison(stage, job);
    await stage.runToDeadline(job, 10);
    const isTold = (await stage.row(job.id)).workspace_id === job.workspace_id;
    expect(await stage.eventTypes(job.id)).toEqual(isTold ? ['video.generation.failed'] : []);
    const account = await stage.accountRow(`workspace#${job.workspace_id}`);
    expect(account).toMatchObject({ reserved: 0, open_jobs: 0, lifetime: { committed: 0, spent: 0 } });
  });

  test('does not stop others from ending, neither before nor after', async () => {
    const provider = slowProvider();
    provider.isDone = true;
    const stage = new SweptStage(provider);
    await poison(stage, await stage.accept(1));
    const others = [await stage.accept(2), await stage.accept(3)];
    await stage.run(3);
    for (const { id } of others) expect(await stage.row(id)).toMatchObject({ status: 'completed' });
  });
});

test('a job whose provider stays silent until the last poll is in time too', async () => {
  const provider = slowProvider();
  provider.poll = async () => {
    throw new ProviderError('unavailable', 'not now');
  };
  const stage = new SweptStage(provider);
  const job = await stage.accept(1);
  await stage.changeAccount(keyAccount(job.key_hash), 'reserved', 'a lot');
  await stage.runToDeadline(job, 10, () => expectOneMessage(stage));
  expect(await stage.row(job.id)).toMatchObject({ status: 'failed', error: ERROR });
});

test('a job whose row was restored after its event fails without a second event', async () => {
  const stage = new SweptStage(slowProvider());
  const job = await stage.accept(1);
  const early = await stage.row(job.id);
  await cancelJob(job, stage.ports);
  await stage.change(job.id, { ...early, completed_at: undefined, error: undefined, expires_at: undefined });
  await stage.runToDeadline(job, 10);
  expect(await stage.row(job.id)).toMatchObject({ status: 'failed', error: ERROR });
  expect(await stage.eventTypes(job.id)).toEqual(['video.generation.cancelled']);
});

describe('a job that cannot be read', () => {
  const torn = async () => {
    const stage = new SweptStage(slowProvider());
    const job = await stage.accept(1, { phase: 'paused' });
    return { stage, job };
  };

  test('is shown as far as possible, and its cancellation is a conflict', async () => {
    const { stage, job } = await torn();
    const seen = (await stage.jobs.look(job.id))!;
    expect(seen).toMatchObject({
      id: job.id,
      status: 'pending',
      model: job.model,
      workspace_id: job.workspace_id,
    });
    await expect(cancelJob(seen, stage.ports)).rejects.toThrow(Conflict);
  });

  test('continues once it can be read again before its deadline', async () => {
    const { stage, job } = await torn();
    await stage.run(15);
    await stage.change(job.id, { phase: 'queued' });
    await stage.run(12);
    expect(await stage.row(job.id)).toMatchObject({ phase: 'polling', sweeps: 0 });
    await stage.runToDeadline(job, 10);
    expect(await stage.row(job.id)).toMatchObject({ status: 'expired' });
    expect(stage.quarantined).toBe(0);
  });

  test('once released is unchanged and continues: its finished video is fetched', async () => {
    const provider = slowProvider();
    const stage = new SweptStage(provider);
    const job = await stage.accept(1);
    await stage.run(2);
    const before = await stage.row(job.id);
    await stage.change(job.id, { phase: 'paused', invented: { by: 'a later version' } });
    await stage.runToDeadline(job, 12);
    expect(await stage.row(job.id)).toMatchObject({ status: 'failed', invented: { by: 'a later version' } });
    // The version that knows this phase is deployed again.
    provider.isDone = true;
    expect(await stage.quarantine.release(job.id, stage.ports.now())).toBe(true);
    const released = await stage.row(job.id);
    expect(released).toMatchObject({
      phase: 'paused',
      status: 'in_progress',
      ref: before.ref,
      holds: [],
      sweeps: 0,
    });
    for (const name of ['quarantine', 'error', 'completed_at', 'expires_at', 'failure']) {
      expect(released).not.toHaveProperty(name);
    }
    await stage.change(job.id, { phase: 'polling' });
    await stage.run(4);
    expect(await stage.row(job.id)).toMatchObject({ status: 'completed' });
    expect(await stage.eventTypes(job.id)).toEqual(['video.generation.completed']);
    expect(await Array.fromAsync(stage.quarantine.list())).toEqual([]);
    const [, workspace] = await stage.accountsOf(job);
    expect(workspace).toMatchObject({ reserved: 0, open_jobs: 0, lifetime: { committed: 0 } });
  });

  test('is quarantined again if its cause still exists', async () => {
    const { stage, job } = await torn();
    await stage.runToDeadline(job, 10);
    await stage.quarantine.release(job.id, stage.ports.now());
    await stage.run(40);
    expect([stage.quarantined, (await stage.row(job.id)).status]).toEqual([2, 'failed']);
  });
});

test('only a quarantined job can be released', async () => {
  const stage = new SweptStage(slowProvider());
  const job = await stage.accept(1);
  const before = await stage.row(job.id);
  for (const id of [job.id, 'vid_unknown']) {
    expect(await stage.quarantine.release(id, stage.ports.now())).toBe(false);
  }
  expect(await stage.row(job.id)).toEqual(before);
});

describe('while no worker runs', () => {
  test('jobs are not quarantined, and their finished videos are fetched half an hour after their deadline', async () => {
    const provider = slowProvider();
    const stage = new SweptStage(provider);
    const job = await stage.accept(1);
    await stage.run(2);
    stage.hasPollers = false;
    provider.isDone = true;
    await stage.runToDeadline(job, 30);
    expect(await stage.messages()).toBeLessThan(15);
    stage.hasPollers = true;
    await stage.run(1);
    expect(await stage.row(job.id)).toMatchObject({ status: 'completed' });
  });

  test('for longer than an hour after their deadline, jobs are quarantined too', async () => {
    const stage = new SweptStage(slowProvider());
    const job = await stage.accept(1);
    stage.hasPollers = false;
    await stage.runToDeadline(job, 59);
    expect(stage.quarantined).toBe(0);
    await stage.run(20);
    expect(await stage.row(job.id)).toMatchObject({ status: 'failed', error: ERROR });
  });
});
