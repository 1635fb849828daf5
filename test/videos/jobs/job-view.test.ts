import { describe, expect, test } from '@jest/globals';
import { micros } from '../../../functions/money/micros.ts';
import type { Job } from '../../../functions/videos/jobs/job.ts';
import { settlementEvent } from '../../../functions/videos/jobs/job-event.ts';
import { failures } from '../../../functions/videos/jobs/job-failure.ts';
import { describeJob } from '../../../functions/videos/jobs/job-view.ts';
import { newEvent } from '../../../functions/webhooks/events/event.ts';
import { aJob, START } from './job-fixture.ts';

const ORIGIN = 'https://api.example';
const path = `/api/v1/videos/${aJob().id}`;
const waiting_for = { reason: 'rate_limit', until: START.toISOString() } as const;
const cancel_requested_at = START.toISOString();

const shown = (change: Partial<Job> = {}) => JSON.parse(JSON.stringify(describeJob(aJob(change), ORIGIN)));

describe('a job as callers see it', () => {
  test('says how it was submitted, and nothing of what is not there yet', () => {
    expect(shown({ metadata: { a: 'b' }, warnings: ['w'], waiting_for: null })).toEqual({
      id: aJob().id,
      polling_url: path,
      status: 'pending',
      model: 'sandbox/clip-1',
      provider: 'sandbox',
      created_at: START.toISOString(),
      estimated_cost: aJob().estimate_micros / 1_000_000,
      max_cost: aJob().estimate_micros / 1_000_000,
      metadata: { a: 'b' },
      warnings: ['w'],
    });
  });

  test('says what it waits for, until it has ended', () => {
    const waits = { waiting_for, cancel_requested_at };
    expect(shown(waits)).toMatchObject(waits);
    const ended = shown({ ...waits, phase: 'settled', status: 'expired' });
    for (const name of Object.keys(waits)) expect(ended).not.toHaveProperty(name);
  });

  test('says why an earlier submission failed, as long as it waits', () => {
    const failed = { submit_error: 'HTTP 500' };
    expect(shown({ waiting_for, ...failed }).waiting_for).toEqual({ ...waiting_for, error: 'HTTP 500' });
    expect(JSON.stringify(shown(failed))).not.toContain('HTTP 500');
  });

  test('has the addresses of its results, and until when they are kept', () => {
    const outputs = [
      { key: 'k0', size_bytes: 1, sha256: 'x' },
      { key: 'k1', size_bytes: 2, sha256: 'y', width: 640, height: 360, duration_seconds: 4.2 },
    ];
    const completed = { phase: 'settled', status: 'completed', completed_at: START.toISOString() } as const;
    const job = shown({ ...completed, outputs, kept_days: 7, cost_micros: micros(30_000), is_byok: true });
    expect(job).toMatchObject({
      unsigned_urls: [`${ORIGIN}${path}/content?index=0`, `${ORIGIN}${path}/content?index=1`],
      outputs: [
        { content_type: 'video/mp4', size_bytes: 1, sha256: 'x' },
        { content_type: 'video/mp4', size_bytes: 2, sha256: 'y', width: 640, height: 360, duration: 4.2 },
      ],
      content_expires_at: '2026-01-08T00:00:00.000Z',
      usage: { cost: 0.03, is_byok: true },
      completed_at: START.toISOString(),
    });
    expect(JSON.stringify(job)).not.toContain('k0');
  });

  test.each<[Job['status'], Partial<Job>, object]>([
    ['failed', { error_kind: failures.moderation }, failures.moderation],
    ['failed', {}, failures.provider],
    ['expired', {}, failures.timeout],
    ['cancelled', {}, failures.cancelled],
    ['expired', { error_kind: failures.input }, failures.input],
  ])('that is %s says why: %j', (status, change, failure) => {
    expect(shown({ status, phase: 'settled', error: 'why', ...change })).toMatchObject({
      error: 'why',
      usage: { cost: 0, is_byok: false },
      error_details: { ...failure, message: 'why' },
    });
  });
});

test('the event of a job’s end shows the job, and the workspace that it is of', () => {
  const { callback_url: _, ...job } = aJob({ phase: 'settled', status: 'failed', error: 'why' });
  const type = 'video.generation.failed';
  const data = { workspace_id: 'ws-1', ...describeJob(job, ORIGIN) };
  const content = {
    id: 'msg_01jg000000000000000000000a',
    workspace_id: 'ws-1',
    job_id: job.id,
    type,
    key_hash: job.key_hash,
    body: JSON.stringify({ type, timestamp: START.toISOString(), data }),
  };
  expect(settlementEvent(job, START)).toEqual(newEvent(content, START));
  const callback_url = 'https://receiver.example/hook';
  expect(settlementEvent({ ...job, callback_url }, START)).toEqual(
    newEvent({ ...content, callback_url }, START),
  );
});
