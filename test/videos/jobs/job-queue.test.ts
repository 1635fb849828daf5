import { expect, test } from '@jest/globals';
import type { Job } from '../../../functions/videos/jobs/job.ts';
import { type JobQueue, queueByPhase } from '../../../functions/videos/jobs/job-queue.ts';

const aQueue = (): JobQueue => ({ send: async () => undefined });

test.each<[Job['phase'] | undefined, 'jobs' | 'copies']>([
  ['queued', 'jobs'],
  ['submitting', 'jobs'],
  ['polling', 'jobs'],
  ['made', 'copies'],
  ['copying', 'copies'],
  ['settled', 'jobs'],
  [undefined, 'jobs'],
])('a message about a job in phase %s goes to the %s', (phase, expected) => {
  const queues = { jobs: aQueue(), copies: aQueue() };
  expect(queueByPhase(queues.jobs, queues.copies)(phase)).toBe(queues[expected]);
});
