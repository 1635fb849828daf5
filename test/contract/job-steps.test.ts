import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Job } from '../../functions/videos/jobs/job.ts';
import { settlementEvent } from '../../functions/videos/jobs/job-event.ts';
import { transition } from '../../functions/videos/jobs/job-machine.ts';
import { JobMoved, type JobSteps } from '../../functions/videos/jobs/job-steps.ts';
import { JobStore } from '../../functions/videos/jobs/job-store.ts';
import type { JobEvent } from '../../functions/videos/jobs/lifecycle.ts';
import { dynamo } from './aws.ts';
import { JobLedger } from './job-ledger.ts';

const NOW = new Date('2030-01-01T00:00:00Z');
const begun: JobEvent = { type: 'submit_begun', leaseUntil: NOW.getTime() + 60_000 };
const failed: JobEvent = { type: 'failed', reason: 'It fell over' };

let ledger: JobLedger;
let steps: JobSteps;
let jobs: JobStore;
beforeAll(async () => {
  ledger = await JobLedger.create(dynamo);
  steps = ledger.steps;
  jobs = new JobStore(dynamo, ledger.tables.jobs, () => undefined);
});
const accept = () => ledger.accept({ key: crypto.randomUUID(), workspace: crypto.randomUUID() }, 10);
const rowOf = async (job: Job) => (await jobs.find(job.id))!;

describe('a step of a job', () => {
  test('that was written but whose response was lost is recognised', async () => {
    const job = await accept();
    const step = transition(job, begun, NOW, 'one');
    await steps.apply(job, step);
    await steps.apply(job, step);
    expect(await rowOf(job)).toMatchObject({ phase: 'submitting', submits: 1, step: 'one' });
  });

  test('of another worker from the same state is too late', async () => {
    const job = await accept();
    await steps.apply(job, transition(job, begun, NOW, 'one'));
    await expect(steps.apply(job, transition(job, begun, NOW, 'other'))).rejects.toThrow(JobMoved);
    expect((await rowOf(job)).step).toBe('one');
  });

  test('that ends it, and whose response was lost, is recognised and settles nothing twice', async () => {
    const job = await accept();
    const step = transition(job, failed, NOW, 'end');
    const event = settlementEvent({ ...job, ...step.changes }, NOW);
    await steps.settle(job, step, event);
    await steps.settle(job, step, event);
    await expect(steps.settle(job, transition(job, failed, NOW, 'other'), event)).rejects.toThrow(JobMoved);
    expect(await rowOf(job)).toMatchObject({ phase: 'settled', step: 'end' });
  });

  test('that ends it is too late for a job that has moved, and creates no event', async () => {
    const job = await accept();
    await steps.apply(job, transition(job, begun, NOW, 'one'));
    const step = transition(job, failed, NOW, 'end');
    const event = settlementEvent({ ...job, ...step.changes }, NOW);
    await expect(steps.settle(job, step, event)).rejects.toThrow(JobMoved);
    expect(await rowOf(job)).toMatchObject({ phase: 'submitting', step: 'one' });
    expect(await ledger.eventTypes(job.id)).toEqual([]);
  });
});

describe('a request to cancel', () => {
  test('is stored without undoing the step of a worker', async () => {
    const job = await accept();
    await steps.apply(job, transition(job, begun, NOW, 'one'));
    const submitting = await rowOf(job);
    const wished = await steps.requestCancel(submitting, NOW);
    expect(wished.cancel_requested_at).toBe(NOW.toISOString());
    await steps.requestCancel(submitting, new Date(NOW.getTime() + 1_000));
    await steps.apply(
      submitting,
      transition(
        submitting,
        { type: 'submit_deferred', reason: 'down', mayBeTaken: false, delaySeconds: 1 },
        NOW,
        'two',
      ),
    );
    expect(await rowOf(job)).toMatchObject({ phase: 'queued', cancel_requested_at: NOW.toISOString() });
  });

  test('for a job that a provider may have is stored', async () => {
    const job = await accept();
    await steps.apply(job, transition(job, begun, NOW, 'one'));
    const submitting = await rowOf(job);
    const lost: JobEvent = { type: 'submit_deferred', reason: 'down', mayBeTaken: true, delaySeconds: 1 };
    await steps.apply(submitting, transition(submitting, lost, NOW, 'two'));
    const wished = await steps.requestCancel(await rowOf(job), NOW);
    expect(wished).toMatchObject({ phase: 'queued', cancel_requested_at: NOW.toISOString() });
  });

  test('for a job that no provider has, or that has ended, is not stored', async () => {
    const job = await accept();
    await expect(steps.requestCancel(job, NOW)).rejects.toThrow(JobMoved);
  });
});
