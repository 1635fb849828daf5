import { expect, test } from '@jest/globals';
import { JobMoved, settleJob } from '../../../functions/videos/jobs/job-steps.ts';
import type { JobEvent } from '../../../functions/videos/jobs/lifecycle.ts';
import { JobWorld } from '../worker/job-world.ts';
import { aJob } from './job-fixture.ts';

const polling = () => aJob({ phase: 'polling', status: 'in_progress', ref: { id: 'up' } });
const cancelled = { type: 'cancelled', reason: 'Cancelled by the caller' } as const;

test('a job that two workers end at once has one event, for the first end', async () => {
  const world = new JobWorld({}, polling());
  const read = world.job;
  const ends = await Promise.allSettled([1, 2, 3].map(() => settleJob(read, cancelled, world.ports)));
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(world.eventMessages).toEqual([...world.events.keys()]);
  expect(world.eventMessages).toHaveLength(1);
});

test('even a job whose row was restored to an earlier step ends with its existing event', async () => {
  const world = new JobWorld({}, polling());
  const read = world.job;
  await settleJob(read, cancelled, world.ports);
  world.rows.set(read.id, read);
  await expect(settleJob(read, cancelled, world.ports)).rejects.toThrow(JobMoved);
  expect([world.events.size, world.eventMessages.length]).toEqual([1, 1]);
});

test.each<[JobEvent, string, string]>([
  [{ type: 'failed', reason: 'no' }, 'failed', 'provider'],
  [{ type: 'failed', reason: 'no', moderated: true }, 'moderated', 'moderation'],
  [cancelled, 'cancelled', 'cancelled'],
])('the end %j is counted and logged as %s', async (end, outcome, failure) => {
  const world = new JobWorld({}, polling());
  const logged: unknown[] = [];
  const log = { ...world.ports.log, info: (...line: unknown[]) => void logged.push(line) };
  await settleJob(world.job, end, { ...world.ports, log });
  expect(world.outcomes).toEqual([outcome]);
  const { id: job_id, provider } = world.job;
  expect(logged).toContainEqual(['job settled', { job_id, outcome, provider, failure }]);
});
