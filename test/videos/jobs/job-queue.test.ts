import { expect, test } from '@jest/globals';
import type { Job } from '../../../functions/videos/jobs/job.ts';
import { type JobQueue, type JobQueues, queueByPhase } from '../../../functions/videos/jobs/job-queue.ts';

const aQueue = (): JobQueue => ({ send: async () => undefined });

test.each<[Job['phase'] | undefined, keyof JobQueues]>([
  ['queued', 'submits'],
  ['submitting', 'submits'],
  ['polling', 'polls'],
  ['made', 'copies'],
  ['copying', 'copies'],
  ['settled', 'polls'],
  [undefined, 'polls'],
])('a message about a job in phase %s goes to the %s', (phase, expected) => {
  const queues = { submits: aQueue(), polls: aQueue(), copies: aQueue() };
  expect(queueByPhase(queues)(phase)).toBe(queues[expected]);
});
