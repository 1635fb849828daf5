import { describe, expect, test } from '@jest/globals';
import { micros } from '../../../functions/money/micros.ts';
import { removeJob } from '../../../functions/videos/jobs/remove-job.ts';
import { ProviderError, type ProviderJob } from '../../../functions/videos/providers/provider.ts';
import { advanceJob } from '../../../functions/videos/worker/advance-job.ts';
import { aJob } from '../jobs/job-fixture.ts';
import { SweptStage, slowProvider } from './swept-stage.ts';

// One minute of the stage means some fifty calls.
const LONGEST_PROMPT = 32_000;
const LARGEST_OPTIONS = 32 * 1024;

const largest = {
  ...aJob().request,
  prompt: '狐'.repeat(LONGEST_PROMPT),
  options: { note: 'x'.repeat(LARGEST_OPTIONS - 20) },
};

/** A real vendor's ref with three addresses. */
const REF = Object.fromEntries(
  ['status', 'response', 'cancel'].map((name) => [
    `${name}_url`,
    `https://queue.fal.run/fal-ai/veo3/requests/764cabcf-b745-4b3e-ae38-1200304cf45b/${name}`,
  ]),
);

function noting(asked: ProviderJob[]) {
  const submit = async (job: ProviderJob) => {
    asked.push(job);
    return { ref: REF, upstreamId: job.id };
  };
  return Object.assign(slowProvider(), { submit });
}

describe('between two links of its chain', () => {
  test('a poll that learns nothing writes nothing, and one that shows progress writes to no index', async () => {
    let progress = 0;
    const poll = async () => ({ state: 'running' as const, progress });
    const stage = new SweptStage({ ...noting([]), poll });
    const { id } = await stage.accept(1);
    await stage.run(2);
    const { seq, link, due_at } = await stage.row(id);
    const unitsOfPoll = async () => {
      const before = stage.writeUnits;
      await advanceJob({ v: 1, job_id: id, seq: Number(seq), link: String(link) }, stage.ports);
      return stage.writeUnits - before;
    };
    const inKilobytes = Math.ceil(JSON.stringify(await stage.row(id)).length / 1024);
    const units = [await unitsOfPoll()];
    progress = 57;
    units.push(await unitsOfPoll(), await unitsOfPoll());
    expect(units).toEqual([0, inKilobytes, 0]);
    expect(await stage.row(id)).toMatchObject({ progress: 57, seq, link, due_at });
  });
});

describe('the request to a provider', () => {
  test('is not written again: a poll costs four write units with the longest prompt and options', async () => {
    const asked: ProviderJob[] = [];
    const stage = new SweptStage(noting(asked));
    const job = await stage.accept(1, {}, { request: largest });
    await stage.run(2);
    expect(asked).toMatchObject([{ prompt: largest.prompt, options: largest.options }]);
    const [polls, units] = [(await stage.jobs.find(job.id))?.polls ?? 0, stage.writeUnits];
    await stage.run(5);
    const polled = ((await stage.jobs.find(job.id))?.polls ?? 0) - polls;
    expect(polled).toBeGreaterThanOrEqual(5);
    expect((stage.writeUnits - units) / polled).toBeLessThanOrEqual(4);
  });

  test('has the options of the next provider', async () => {
    const asked: ProviderJob[] = [];
    const { submit, ...provider } = noting(asked);
    const stage = new SweptStage({
      ...provider,
      submit: async (job) => {
        const accepted = await submit(job);
        if (asked.length === 1) throw new ProviderError('unavailable', 'down');
        return accepted;
      },
    });
    const elsewhere = {
      endpoint: 'fal/veo-3.1',
      provider: 'fal',
      estimate_micros: micros(1),
      is_byok: false,
    };
    const request = { ...aJob().request, options: { of: 'sandbox' } };
    const others = { alternatives: [elsewhere], other_options: { fal: { of: 'fal' } } };
    const job = await stage.accept(1, {}, { request, ...others });
    expect(await stage.row(job.id)).not.toHaveProperty('other_options');
    await stage.run(2);
    expect(asked.map(({ options }) => options)).toEqual([{ of: 'sandbox' }, { of: 'fal' }]);
  });

  test('is read from the row of a job that an earlier version wrote', async () => {
    const asked: ProviderJob[] = [];
    const stage = new SweptStage(noting(asked));
    const old = { ...aJob().request, prompt: 'An old fox' };
    const job = await stage.accept(1, { request: old });
    await stage.run(2);
    expect(asked).toMatchObject([{ prompt: 'An old fox' }]);
    expect(await stage.jobs.look(job.id)).toMatchObject({ phase: 'polling', request: old });
  });

  test('is not shown as a job in lists, look-ups or sweeps', async () => {
    const stage = new SweptStage(slowProvider());
    const job = await stage.accept(1);
    const row = await stage.row(`${job.id}#request`);
    expect(Object.keys(row).toSorted()).toEqual(['expires_at', 'id', 'request']);
    // The row outlives the job, which expires 90 days after its end.
    expect(row.expires_at).toBeGreaterThan(job.deadline_at / 1000 + 90 * 86_400);
    const { rows } = await stage.jobs.list(job.workspace_id, {}, 10);
    expect(rows.map(({ id }) => id)).toEqual([job.id]);
    expect(rows[0]).not.toHaveProperty('request');
  });

  test('is deleted with its job', async () => {
    const stage = new SweptStage(slowProvider());
    const job = await stage.accept(1);
    const nothing = async () => undefined;
    await removeJob(
      { ...job, phase: 'settled' },
      { jobs: stage.jobs, removeObjects: nothing, removeLog: nothing },
    );
    expect([await stage.row(job.id), await stage.row(`${job.id}#request`)]).toEqual([{}, {}]);
  });
});
