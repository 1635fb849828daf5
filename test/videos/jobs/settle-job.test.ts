import { expect, test } from '@jest/globals';
import { JobMoved } from '../../../functions/videos/jobs/job-steps.ts';
import { settleJob } from '../../../functions/videos/jobs/settle-job.ts';
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
