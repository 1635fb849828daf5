import { describe, expect, test } from '@jest/globals';
import { generationContentResponseFromJSON } from '@openrouter/sdk/models/generationcontentresponse.js';
import { generationResponseFromJSON } from '@openrouter/sdk/models/generationresponse.js';
import * as v from 'valibot';
import { contentOf } from '../../functions/generations/content.ts';
import { type Generation, generationOf } from '../../functions/generations/generation.ts';
import { describeGeneration, shownGenerationSchema } from '../../functions/generations/shown-generation.ts';
import { micros } from '../../functions/money/micros.ts';
import type { JobWithRequest } from '../../functions/videos/jobs/job.ts';
import { failures } from '../../functions/videos/jobs/job-failure.ts';
import { aJob } from '../videos/jobs/job-fixture.ts';

const TAKEN = {
  generation_id: 'gen_01jg000000000000000000000a',
  upstream_id: 'up-1',
  status: 'in_progress',
  history: [
    { at: '2026-01-01T00:00:00.000Z', status: 'pending' },
    { at: '2026-01-01T00:00:02.000Z', status: 'in_progress' },
  ],
} satisfies Partial<JobWithRequest>;
const ENDED = { phase: 'settled', completed_at: '2026-01-01T00:00:42.000Z' } as const;
const COMPLETED = {
  ...TAKEN,
  ...ENDED,
  status: 'completed',
  cost_micros: micros(40_000),
  outputs: [{ key: 'kept-30d/secret-place', size_bytes: 7, sha256: 'digest' }],
} as const satisfies Partial<JobWithRequest>;
const FAILED = {
  ...TAKEN,
  ...ENDED,
  status: 'failed',
  error: 'No',
  error_kind: failures.moderation,
} as const satisfies Partial<JobWithRequest>;

const generation = (change: Parameters<typeof aJob>[0]): Generation => generationOf(aJob(change))!;
const shown = (change: Parameters<typeof aJob>[0]) => describeGeneration(generation(change));

test('a job that no provider has accepted has no generation', () => {
  expect(generationOf(aJob())).toBeUndefined();
});

describe('a generation', () => {
  test('that runs costs nothing yet and has no times', () => {
    expect(shown(TAKEN)).toMatchObject({
      status: 'in_progress',
      total_cost: 0,
      latency: null,
      generation_time: null,
      finish_reason: null,
      completed_at: null,
    });
  });

  test('that is completed says what it cost and how long it took', () => {
    expect(shown(COMPLETED)).toMatchObject({
      id: TAKEN.generation_id,
      model: 'sandbox/clip-1',
      provider_name: 'sandbox',
      upstream_id: 'up-1',
      total_cost: 0.04,
      usage: 0.04,
      latency: 42_000,
      generation_time: 40_000,
      finish_reason: 'stop',
      num_media_completion: 1,
      error: null,
    });
  });

  test.each([
    ['moderation has stopped', FAILED, 'content_filter'],
    ['has failed', { ...FAILED, error_kind: failures.provider }, 'error'],
    ['was cancelled', { ...FAILED, status: 'cancelled', error_kind: failures.cancelled }, null],
  ] as const)('that %s says so', (_, job, reason) => {
    expect(shown(job)).toMatchObject({ finish_reason: reason, cancelled: job.status === 'cancelled' });
    expect(shown(job).error).toMatchObject({ message: 'No' });
  });

  test.each([TAKEN, COMPLETED, FAILED])('matches the description and the official client', (job) => {
    const data = shown(job);
    expect(v.safeParse(v.strictObject(shownGenerationSchema.entries), data).issues).toBeUndefined();
    expect(generationResponseFromJSON(JSON.stringify({ data }))).toMatchObject({
      ok: true,
      value: { data: { totalCost: data.total_cost, providerName: 'sandbox' } },
    });
  });
});

test.each([COMPLETED, FAILED])('the log matches the official client', (job) => {
  const data = contentOf(generation(job), aJob().request, []);
  const error = job.status === 'failed' ? { message: 'No', providerName: 'sandbox' } : null;
  const parsed = generationContentResponseFromJSON(JSON.stringify({ data }));
  expect(parsed).toMatchObject({ ok: true, value: { data: { input: { prompt: 'A fox' } } } });
  expect(parsed.value?.data.error).toEqual(error === null ? null : expect.objectContaining(error));
  expect(JSON.stringify(data)).not.toContain('secret-place');
});
