import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { AccountStore } from '../../../functions/money/account-store.ts';
import type { Job } from '../../../functions/videos/jobs/job.ts';
import { settlementEvent } from '../../../functions/videos/jobs/job-event.ts';
import { transition } from '../../../functions/videos/jobs/job-machine.ts';
import { JobMoved, JobSteps } from '../../../functions/videos/jobs/job-steps.ts';
import { JobStore } from '../../../functions/videos/jobs/job-store.ts';
import { EventStore } from '../../../functions/webhooks/events/event-store.ts';
import { AwsWorld } from '../../engines/aws-world.ts';
import { DeployedStage } from '../../engines/deployed/deployed-stage.ts';
import { faultAt } from '../../engines/faults.ts';
import { aJob, START } from './job-fixture.ts';

/** A job in its table, and the steps that write to it. */
async function start(change: Partial<Job> = {}) {
  const world = new AwsWorld({ start: START });
  const stage = new DeployedStage(world);
  const { dynamo } = world.startProcess();
  const table = stage.name('Videos-Jobs');
  const jobs = new JobStore(dynamo, table, () => undefined);
  const job: Job = aJob({
    phase: 'polling',
    status: 'in_progress',
    step: 'before',
    seq: 3,
    submits: 1,
    ...change,
  });
  await dynamo.send(new PutCommand({ TableName: table, Item: job }));
  const steps = new JobSteps(dynamo, {
    jobs,
    events: new EventStore(dynamo, stage.name('Webhooks-Events')),
    accounts: new AccountStore(dynamo, stage.name('Accounts')),
  });
  const poll = (read: Job, name: string) =>
    steps.apply(read, transition(read, { type: 'progressed', delaySeconds: 5 }, START, name));
  return { world, jobs, job, steps, poll };
}

describe('a step', () => {
  test('whose response was lost is written once, and recognised when it is sent again', async () => {
    const { world, jobs, job, poll } = await start();
    world.faults = faultAt({ operation: 'UpdateItem', nth: 1 }, 'answer lost');
    await poll(job, 'mine');
    expect(await jobs.find(job.id)).toMatchObject({ step: 'mine', seq: 4, polls: 1 });
  });

  test.each<[string, Partial<Job>]>([
    ['another link', { seq: 2 }],
    ['another phase', { phase: 'submitting' }],
    ['another submit', { submits: 2 }],
    ['another step', { step: 'another' }],
    ['no step', { step: '' }],
  ])('of a job that was read at %s changes nothing', async (_, read) => {
    const { world, jobs, job, steps } = await start();
    const stale: Job = { ...job, ...read };
    const name = { type: 'put_off', delaySeconds: 5 } as const;
    await expect(steps.apply(stale, transition(stale, name, START, 'late'))).rejects.toThrow(JobMoved);
    world.faults = () => undefined;
    expect(await jobs.find(job.id)).toEqual(job);
  });

  test('is written only once by two at the same time', async () => {
    const { jobs, job, poll } = await start();
    const [one, other] = await Promise.allSettled([poll(job, 'one'), poll(job, 'other')]);
    expect([one?.status, other?.status].toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await jobs.find(job.id)).toMatchObject({ polls: 1 });
  });

  test("that ends a job is nobody's where another worker has ended it", async () => {
    const { jobs, job, steps } = await start();
    const end = (name: string) => {
      const step = transition(job, { type: 'cancelled', reason: 'Cancelled by the caller' }, START, name);
      return steps.settle(job, step, settlementEvent({ ...job, ...step.changes }, START));
    };
    await end('first');
    await expect(end('late')).rejects.toThrow(JobMoved);
    expect(await jobs.find(job.id)).toMatchObject({ step: 'first', phase: 'settled' });
  });

  test.each<[string, Partial<Job>, boolean]>([
    ['at its provider', {}, true],
    ['being submitted', { phase: 'submitting' }, true],
    ['waiting after an unknown submit', { phase: 'queued', status: 'pending', may_be_taken: true }, true],
    ['waiting', { phase: 'queued', status: 'pending' }, false],
    ['made', { phase: 'made' }, false],
    ['ended', { phase: 'settled', status: 'failed' }, false],
  ])('keeps a request to cancel with a job that is %s: %#', async (_, change, isKept) => {
    const { jobs, job, steps } = await start(change);
    const asked = steps.requestCancel(job, START);
    if (isKept) await asked;
    else await expect(asked).rejects.toThrow(JobMoved);
    const { cancel_requested_at: at } = (await jobs.find(job.id)) ?? {};
    expect(at).toBe(isKept ? START.toISOString() : undefined);
  });
});
