import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { firstVideoId } from '../../../functions/ids.ts';
import { AccountStore } from '../../../functions/money/account-store.ts';
import type { Job } from '../../../functions/videos/jobs/job.ts';
import { settlementEvent } from '../../../functions/videos/jobs/job-event.ts';
import { transition } from '../../../functions/videos/jobs/job-machine.ts';
import { JobSteps } from '../../../functions/videos/jobs/job-steps.ts';
import { type JobFilter, JobStore } from '../../../functions/videos/jobs/job-store.ts';
import { EventStore } from '../../../functions/webhooks/events/event-store.ts';
import { DeployedStage } from '../../deployed/deployed-stage.ts';
import { AwsWorld, countReads } from '../../engines/index.ts';
import { aJob, START } from './job-fixture.ts';

const SECOND = 1000;
const at = (second: number) => new Date(START.getTime() + second * SECOND);

/** Jobs in their own stage, created one second apart. */
class Jobs {
  readonly #stage: DeployedStage;
  readonly #world = new AwsWorld();
  readonly #table: string;

  constructor() {
    this.#stage = new DeployedStage(this.#world);
    this.#table = this.#stage.name('Videos-Jobs');
  }

  async add(count: number, changeOf: (number: number) => Partial<Job> = () => ({})): Promise<Job[]> {
    const jobs = Array.from({ length: count }, (_, i) => aJob({ id: firstVideoId(at(i)), ...changeOf(i) }));
    const { dynamo } = this.#world.startProcess();
    const store = new JobStore(dynamo, this.#table, () => undefined);
    const rows = jobs.flatMap((job) =>
      store.insertion(job).map(({ Put }) => ({ PutRequest: { Item: Put.Item } })),
    );
    for (let i = 0; i < rows.length; i += 25) {
      await dynamo.send(new BatchWriteCommand({ RequestItems: { [this.#table]: rows.slice(i, i + 25) } }));
    }
    return jobs;
  }

  /** A page of the workspace `ws-1`, and the cost of reading it. */
  async page(filter: JobFilter = {}, limit = 20) {
    const { dynamo } = this.#world.startProcess();
    const reads = countReads(dynamo);
    const { rows, cursor } = await new JobStore(dynamo, this.#table, () => undefined).list(
      'ws-1',
      filter,
      limit,
    );
    return { ids: rows.map(({ id }) => id), cursor, reads };
  }

  async all(filter: JobFilter = {}, limit = 20): Promise<string[]> {
    const { ids, cursor } = await this.page(filter, limit);
    return cursor === null ? ids : [...ids, ...(await this.all({ ...filter, before: cursor }, limit))];
  }

  steps(): JobSteps {
    const { dynamo } = this.#world.startProcess();
    return new JobSteps(dynamo, {
      jobs: new JobStore(dynamo, this.#table, () => undefined),
      events: new EventStore(dynamo, this.#stage.name('Webhooks-Events')),
      accounts: new AccountStore(dynamo, this.#stage.name('Accounts')),
    });
  }
}

describe('the cost of a list of jobs', () => {
  const few = new Jobs();
  const many = new Jobs();
  /** The oldest job differs from all others. */
  const changeOf = (number: number): Partial<Job> =>
    number === 0 ? { status: 'expired', model: 'rare', key_hash: 'rare' } : { status: 'completed' };
  beforeAll(async () => {
    await few.add(60, changeOf);
    await many.add(6_000, changeOf);
  });

  test.each<[string, JobFilter, number]>([
    ['all', {}, 20],
    ['the longest page', {}, 100],
    ['a status that one has', { status: 'expired' }, 20],
    ['a status that most have', { status: 'completed' }, 20],
    ['a status that none has', { status: 'failed' }, 1],
    ['a model that one has', { model: 'rare' }, 20],
    ['a model that none has', { model: 'none' }, 1],
    ['a key that one has', { key: 'rare' }, 100],
    ['a status and a model', { status: 'completed', model: 'none' }, 20],
    ['a time', { since: at(10), until: at(50) }, 20],
  ])('does not grow with the jobs: %s', async (_, filter, limit) => {
    const [small, large] = [await few.page(filter, limit), await many.page(filter, limit)];
    expect(large.reads.rows).toBeLessThanOrEqual(2 * small.reads.rows);
    expect(large.reads.calls).toBeLessThanOrEqual(2 * small.reads.calls);
  });

  test('is that of the shown rows, once in the index and once in the table', async () => {
    expect((await many.page({ status: 'expired' })).reads).toEqual({ calls: 2, rows: 2 });
    expect((await many.page({ status: 'failed' })).reads).toEqual({ calls: 1, rows: 0 });
    expect((await many.page()).reads).toEqual({ calls: 2, rows: 21 + 20 });
    expect((await many.page({ since: at(5_000), until: at(5_003) })).reads).toEqual({
      calls: 2,
      rows: 3 + 3,
    });
  });

  test('can end a page early, and the next one continues there', async () => {
    const { ids, cursor } = await many.page({ model: 'rare' });
    expect([ids, cursor]).toEqual([[], firstVideoId(at(6_000 - 101))]);
    expect(await many.all({ model: 'rare' })).toEqual([firstVideoId(at(0))]);
  });
});

describe('a list of jobs', () => {
  test('has every job once, whatever the length of the pages', async () => {
    const jobs = new Jobs();
    const newestFirst = (await jobs.add(45)).map(({ id }) => id).reverse();
    for (const limit of [1, 7, 44, 45, 46, 100]) expect(await jobs.all({}, limit)).toEqual(newestFirst);
    expect((await jobs.page({}, 45)).cursor).toBeNull();
  });

  test('begins and ends at the given times, and never before its cursor', async () => {
    const jobs = new Jobs();
    const ids = (await jobs.add(10)).map(({ id }) => id);
    const between = (from: number, to: number) => ids.slice(from, to).reverse();
    expect(await jobs.all({ since: at(3) })).toEqual(between(3, 10));
    expect(await jobs.all({ until: at(3) })).toEqual(between(0, 3));
    expect(await jobs.all({ since: at(3), until: at(6) })).toEqual(between(3, 6));
    expect(
      await jobs.all({ since: new Date(at(3).getTime() + 1), until: new Date(at(6).getTime() + 1) }),
    ).toEqual(between(4, 7));
    expect(await jobs.all({ since: at(3), until: at(6), before: ids[5] })).toEqual(between(3, 5));
    expect(await jobs.all({ until: at(6), before: ids[9] })).toEqual(between(0, 6));
    expect(await jobs.all({ since: at(6), before: ids[2] })).toEqual([]);
    expect(await jobs.all({ since: at(3), until: at(3) })).toEqual([]);
    expect(await jobs.all({ since: new Date('1960-01-01T00:00:00Z') })).toEqual(between(0, 10));
    expect(await jobs.all({ since: new Date('9999-12-31T23:59:59Z') })).toEqual([]);
  });

  test('has the oldest first on request, and continues after its cursor', async () => {
    const jobs = new Jobs();
    const ids = (await jobs.add(10)).map(({ id }) => id);
    const pages = async (filter: JobFilter, limit: number): Promise<string[]> => {
      const { ids: shown, cursor } = await jobs.page({ ...filter, oldestFirst: true }, limit);
      return cursor === null ? shown : [...shown, ...(await pages({ ...filter, after: cursor }, limit))];
    };
    for (const limit of [1, 3, 9, 10, 11]) expect(await pages({}, limit)).toEqual(ids);
    expect(await pages({ after: ids[4] }, 2)).toEqual(ids.slice(5));
    expect(await pages({ after: ids[4], since: at(7), until: at(9) }, 1)).toEqual(ids.slice(7, 9));
    expect(await pages({ after: ids[4], since: at(2), until: at(7) }, 1)).toEqual(ids.slice(5, 7));
    expect(await pages({ after: ids[9] }, 1)).toEqual([]);
  });

  test('has the jobs of one workspace that match every filter', async () => {
    const jobs = new Jobs();
    await jobs.add(8, (number) => ({
      status: number % 2 === 0 ? 'completed' : 'failed',
      model: number % 4 < 2 ? 'a' : 'b',
      workspace_id: number === 7 ? 'ws-2' : 'ws-1',
    }));
    const numbers = async (filter: JobFilter) =>
      (await jobs.all(filter, 1)).map((id) =>
        [0, 1, 2, 3, 4, 5, 6, 7].findIndex((i) => id === firstVideoId(at(i))),
      );
    expect(await numbers({ status: 'failed' })).toEqual([5, 3, 1]);
    expect(await numbers({ status: 'failed', model: 'b' })).toEqual([3]);
    expect(await numbers({ model: 'a', until: at(5) })).toEqual([4, 1, 0]);
    expect(await numbers({ status: 'completed', since: at(1), key: 'hash' })).toEqual([6, 4, 2]);
  });

  test('follows a job from status to status', async () => {
    const jobs = new Jobs();
    const [job] = await jobs.add(1, () => ({ phase: 'submitting', submits: 1 }));
    const steps = jobs.steps();
    const found = async () => {
      const statuses = ['pending', 'in_progress', 'completed', 'failed'] as const;
      const counts = statuses.map(async (status) => [status, (await jobs.all({ status })).length] as const);
      return (await Promise.all(counts)).filter(([, count]) => count > 0);
    };
    expect(await found()).toEqual([['pending', 1]]);
    const accepted = transition(
      job!,
      { type: 'accepted', ref: {}, upstreamId: 'u', generationId: 'gen_1', delaySeconds: 1 },
      START,
      'accepted',
    );
    await steps.apply(job!, accepted);
    expect(await found()).toEqual([['in_progress', 1]]);
    const running = { ...job!, ...accepted.changes };
    const failed = transition(running, { type: 'failed', reason: 'It fell over' }, START, 'failed');
    await steps.settle(running, failed, settlementEvent({ ...running, ...failed.changes }, START));
    expect(await found()).toEqual([['failed', 1]]);
  });
});
