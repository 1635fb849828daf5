import { ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { transact } from '../../../functions/aws/dynamo-writes.ts';
import { emptyAccount, keyAccount } from '../../../functions/money/account.ts';
import { AccountStore } from '../../../functions/money/account-store.ts';
import type { Closing } from '../../../functions/money/account-update.ts';
import { holdOf } from '../../../functions/money/hold.ts';
import { micros } from '../../../functions/money/micros.ts';
import type { Job } from '../../../functions/videos/jobs/job.ts';
import { settlementEvent } from '../../../functions/videos/jobs/job-event.ts';
import { transition } from '../../../functions/videos/jobs/job-machine.ts';
import {
  EndToldAlready,
  JobMoved,
  JobSteps,
  type JobStepsStores,
} from '../../../functions/videos/jobs/job-steps.ts';
import { JobStore } from '../../../functions/videos/jobs/job-store.ts';
import type { JobEvent } from '../../../functions/videos/jobs/lifecycle.ts';
import { EventStore } from '../../../functions/webhooks/events/event-store.ts';
import { DeployedStage } from '../../deployed/deployed-stage.ts';
import { AwsWorld, faultAt } from '../../engines/index.ts';
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
  const events = new EventStore(dynamo, stage.name('Webhooks-Events'));
  const accounts = new AccountStore(dynamo, stage.name('Accounts'));
  const stores = { jobs, events, accounts };
  const steps = new JobSteps(dynamo, stores);
  const poll = (read: Job, name: string) =>
    steps.apply(read, transition(read, { type: 'progressed', delaySeconds: 5 }, START, name));
  return { world, dynamo, table, stores, jobs, job, steps, poll };
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

  test('keeps the time of the first request to cancel', async () => {
    const { job, steps } = await start();
    await steps.requestCancel(job, START);
    const again = await steps.requestCancel(job, new Date(START.getTime() + 60_000));
    expect(again.cancel_requested_at).toBe(START.toISOString());
  });
});

test.each<[string, Closing | undefined, boolean]>([
  ['disabled or deleted', { closed: true }, false],
  ['expired', { closesAt: START.toISOString() }, false],
  ['about to expire', { closesAt: new Date(START.getTime() + 1).toISOString() }, true],
  ['to last for ever', { closesAt: null }, true],
  ['enabled again', { closed: false }, true],
  ['without an account', undefined, true],
])('a job whose key is %s may spend: %#', async (_, closing, may) => {
  const { dynamo, job, steps, stores } = await start();
  if (closing !== undefined) {
    const account = stores.accounts.changeClosing(keyAccount(job.key_hash), closing);
    await transact(dynamo, { account });
  }
  expect(await steps.maySpend(job, START)).toBe(may);
});

describe('the end of a job', () => {
  const endOf = (job: Job, event: JobEvent = { type: 'failed', reason: 'no' }) => {
    const step = transition(job, event, START, 'end');
    return [job, step, settlementEvent({ ...job, ...step.changes }, START)] as const;
  };

  test('whose answer was lost is recognised when it is sent again', async () => {
    const { world, jobs, job, steps, stores } = await start();
    world.faults = faultAt({ operation: 'TransactWriteItems', nth: 1 }, 'answer lost');
    const [, step, event] = endOf(job);
    await steps.settle(job, step, event);
    expect(await jobs.find(job.id)).toMatchObject({ step: 'end', status: 'failed' });
    expect(await stores.events.find(event.id)).toBeDefined();
  });

  test('that is written by the same step again is as it was', async () => {
    const { jobs, job, steps } = await start();
    await steps.settle(...endOf(job));
    const ended = await jobs.find(job.id);
    await steps.settle(...endOf(job));
    expect(await jobs.find(job.id)).toEqual(ended);
  });

  test('that was told before is not told again, and the job stays as it is', async () => {
    const { jobs, job, steps, stores } = await start();
    const end = endOf(job);
    await stores.events.create(end[2]);
    await expect(steps.settle(...end)).rejects.toThrow(EndToldAlready);
    expect(await jobs.find(job.id)).toEqual(job);
  });

  test('that failed costs nothing', async () => {
    const { dynamo, job, steps, stores } = await start();
    const account = keyAccount(job.key_hash);
    const hold = holdOf(emptyAccount(account), [{ micros: micros(7), isByok: false }], START);
    const held = { ...job, holds: [hold] };
    await transact(dynamo, { hold: stores.accounts.hold(emptyAccount(account), hold, START) });
    await steps.settle(...endOf(held));
    expect(await stores.accounts.readOne(account)).toMatchObject({
      reserved: 0,
      open_jobs: 0,
      lifetime: { committed: 0, spent: 0 },
    });
  });

  /** @returns stores whose accounts refuse as often */
  function refusing(stores: JobStepsStores, table: string, times: number) {
    let asked = 0;
    let reads = 0;
    const check = (Key: Record<string, string>) => [
      { ConditionCheck: { TableName: table, Key, ConditionExpression: 'attribute_exists(id)' } },
    ];
    const accounts: JobStepsStores['accounts'] = {
      settle: () => (asked++ < times ? check({ id: 'nobody' }) : []),
      read: async () => {
        reads++;
        return [];
      },
      count: (activity) => stores.accounts.count(activity),
      countUncredited: () => undefined,
    };
    return { stores: { ...stores, accounts }, counts: () => ({ asked, reads }) };
  }

  test.each([
    [0, { asked: 1, reads: 0 }],
    [2, { asked: 3, reads: 2 }],
  ])('is written after %i changes of its accounts', async (times, counts) => {
    const { dynamo, jobs, job, stores, table } = await start();
    const refused = refusing(stores, table, times);
    await new JobSteps(dynamo, refused.stores).settle(...endOf(job));
    expect(await jobs.find(job.id)).toMatchObject({ status: 'failed' });
    expect(refused.counts()).toEqual(counts);
  });

  test('is given up after three changes of its accounts', async () => {
    const { dynamo, jobs, job, stores, table } = await start();
    const refused = refusing(stores, table, 3);
    await expect(new JobSteps(dynamo, refused.stores).settle(...endOf(job))).rejects.toThrow(
      'changed 3 times',
    );
    expect(await jobs.find(job.id)).toEqual(job);
    expect(refused.counts()).toEqual({ asked: 3, reads: 3 });
  });

  test.each<[string, (steps: JobSteps, job: Job) => Promise<unknown>]>([
    ['a step', (steps, job) => steps.apply(job, endOf(job)[1])],
    ['a request to cancel', (steps, job) => steps.requestCancel(job, START)],
    ['an end', (steps, job) => steps.settle(...endOf(job))],
  ])('%s that AWS does not take is an error of its own', async (_, write) => {
    const { dynamo, job, stores } = await start();
    const jobs = new JobStore(dynamo, 'gone', () => undefined);
    const failed = write(new JobSteps(dynamo, { ...stores, jobs }), job);
    await expect(failed).rejects.toThrow(ResourceNotFoundException);
  });
});
