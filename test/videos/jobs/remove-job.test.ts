import { expect, test } from '@jest/globals';
import type { Job } from '../../../functions/videos/jobs/job.ts';
import { removeJob } from '../../../functions/videos/jobs/remove-job.ts';
import { aJob } from './job-fixture.ts';

async function remove(job: Job, failing = false): Promise<string[]> {
  const steps: string[] = [];
  const ports = {
    jobs: {
      removeRequest: async () => void steps.push('request'),
      remove: async () => void steps.push('row'),
    },
    removeLog: async () => void steps.push('log'),
    removeObjects: async () => {
      steps.push('objects');
      if (failing) throw new Error('S3 is away');
    },
  };
  await removeJob(job, ports).catch((error: Error) => steps.push(error.message));
  return steps;
}

test.each(['completed', 'failed', 'cancelled', 'expired'] as const)(
  'a job that is %s is deleted, its row last',
  async (status) => {
    expect(await remove(aJob({ status, phase: 'settled' }))).toEqual(['objects', 'request', 'log', 'row']);
  },
);

test('a row stays until everything else of the job is deleted', async () => {
  expect(await remove(aJob({ phase: 'settled' }), true)).toEqual(['objects', 'S3 is away']);
});

test.each(['queued', 'submitting', 'polling'] as const)('a job that is %s stays', async (phase) => {
  expect(await remove(aJob({ phase }))).toEqual([expect.stringContaining('before you delete it')]);
});
