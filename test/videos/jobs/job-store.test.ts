import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { type NamedItems, TransactionRefused, transact } from '../../../functions/aws/dynamo-writes.ts';
import { JOBS_BY_WORKSPACE } from '../../../functions/tables.ts';
import type { JobWithRequest } from '../../../functions/videos/jobs/job.ts';
import { transition } from '../../../functions/videos/jobs/job-machine.ts';
import { JobStore } from '../../../functions/videos/jobs/job-store.ts';
import { DeployedStage } from '../../deployed/deployed-stage.ts';
import { createTable } from '../../engines/conformance/index.ts';
import { AwsWorld } from '../../engines/index.ts';
import { aJob, START } from './job-fixture.ts';

const idOf = (i: number) => `vid_${String(i).padStart(26, '0')}`;

/** A store with five jobs. The third and the last one cannot be read. */
async function storeWithWrecks(told: unknown[]) {
  const { dynamo } = new AwsWorld().startProcess();
  const table = await createTable(dynamo, 'id', { indexes: { [JOBS_BY_WORKSPACE]: ['workspace_id', 'id'] } });
  const rows: Record<string, unknown>[] = [0, 1, 2, 3, 4].map((i) => aJob({ id: idOf(i) }));
  Object.assign(rows[2]!, { phase: 'paused' });
  delete rows[4]!.model;
  for (const Item of rows) await dynamo.send(new PutCommand({ TableName: table, Item }));
  return new JobStore(dynamo, table, (id, fields) => told.push([id, fields]));
}

test('a list leaves out unreadable rows, and logs them', async () => {
  const told: unknown[] = [];
  const store = await storeWithWrecks(told);
  const { rows } = await store.list('ws-1', {}, 10);
  expect(rows.map(({ id }) => id)).toEqual([3, 1, 0].map(idOf));
  expect(told).toEqual([
    [idOf(4), ['model']],
    [idOf(2), ['phase']],
  ]);
});

test('a page with such rows is shorter, and its cursor skips them', async () => {
  const store = await storeWithWrecks([]);
  const found: string[] = [];
  let before: string | undefined;
  do {
    const { rows, cursor } = await store.list('ws-1', { before }, 2);
    found.push(...rows.map(({ id }) => id));
    before = cursor ?? undefined;
  } while (before !== undefined);
  expect(found).toEqual([3, 1, 0].map(idOf));
});

test('a list by a status leaves out a job that has gone on since the index was written', async () => {
  const world = new AwsWorld({ lag: () => 1_000 });
  const table = new DeployedStage(world).name('Videos-Jobs');
  const { dynamo } = world.startProcess();
  const store = new JobStore(dynamo, table, () => undefined);
  const write = async (status: 'pending' | 'in_progress') => {
    for (const { Put } of store.insertion(aJob({ status })))
      await dynamo.send(new PutCommand({ TableName: table, Item: Put.Item }));
  };
  const listed = async (status?: 'pending' | 'in_progress') =>
    (await store.list('ws-1', { status }, 10)).rows.map((job) => job.status);
  await write('pending');
  await world.clock.wait(2_000);
  expect(await listed('pending')).toEqual(['pending']);
  await write('in_progress');
  expect([await listed('pending'), await listed()]).toEqual([[], ['in_progress']]);
  await world.clock.wait(2_000);
  expect(await listed('in_progress')).toEqual(['in_progress']);
});

/** A store with one new job, as it was accepted. */
async function start(change: Partial<JobWithRequest> = {}) {
  const world = new AwsWorld();
  const { dynamo } = world.startProcess();
  const table = await createTable(dynamo, 'id');
  const told: unknown[] = [];
  const store = new JobStore(dynamo, table, (id, fields) => told.push([id, fields]));
  const job = aJob(change);
  const write = (items: NamedItems) => transact(dynamo, items);
  await write({ job: store.insertion(job) });
  const row = async (id = job.id) =>
    (await dynamo.send(new GetCommand({ TableName: table, Key: { id } }))).Item;
  const put = (Item: Record<string, unknown>) => dynamo.send(new PutCommand({ TableName: table, Item }));
  return { dynamo, store, job, told, write, row, put };
}

describe('a new job', () => {
  test('is written as two rows, of which its own has no request', async () => {
    const { job, store, row } = await start();
    const { request, ...state } = job;
    expect(await row()).toEqual({
      ...state,
      workspace_status: 'ws-1#pending',
      active: expect.stringMatching(/^active-\d$/),
    });
    expect(await row(`${job.id}#request`)).toMatchObject({ request });
    expect(await store.find(job.id)).toEqual(state);
    expect(await store.requestOf(state)).toEqual(request);
  });

  test.each([[0], [1]])('is not written where its row %i is there already', async (at) => {
    const { job, store, write } = await start();
    const put = store.insertion(job)[at];
    await expect(write({ put })).rejects.toThrow(TransactionRefused);
  });
});

describe('a job', () => {
  test('that does not exist is not found', async () => {
    const { store, told } = await start();
    expect([await store.find('vid_2'), await store.look('vid_2')]).toEqual([undefined, undefined]);
    expect(told).toEqual([]);
  });

  test('is shown as it is', async () => {
    const { store, job, told } = await start();
    expect(await store.look(job.id)).toEqual(await store.find(job.id));
    expect(told).toEqual([]);
  });

  test('that cannot be read is shown as far as it can be, and told', async () => {
    const { store, job, told, row, put } = await start();
    await put({ ...(await row()), model: 7 });
    expect(await store.look(job.id)).toMatchObject({ id: job.id, model: 'unknown', phase: 'settled' });
    expect(told).toEqual([[job.id, ['model']]]);
    await expect(store.find(job.id)).rejects.toThrow();
  });

  test('of an older version has its request in its own row', async () => {
    const { store, row } = await start();
    const request = { ...aJob().request, prompt: 'An older fox' };
    const { request: _, ...state } = aJob();
    expect(await store.requestOf({ ...state, request })).toEqual(request);
    expect(await row(`${state.id}#request`)).not.toMatchObject({ request });
  });

  test('that waits for a provider that is resting does so in words that functions of the version before read', async () => {
    const { store, job, write, row } = await start({ phase: 'queued' });
    const wait = { type: 'put_off', delaySeconds: 4, waitingFor: 'provider_resting' } as const;
    await write({ job: store.step(job, transition(job, wait, START, 'step')) });
    expect(await row()).toMatchObject({ waiting_for: { reason: 'provider_paused' } });
    expect(await store.find(job.id)).toMatchObject({ waiting_for: { reason: 'provider_resting' } });
  });

  test('is read as it was last written', async () => {
    const world = new AwsWorld({ lag: () => 60_000 });
    const { dynamo } = world.startProcess();
    const table = await createTable(dynamo, 'id');
    const store = new JobStore(dynamo, table, () => undefined);
    await transact(dynamo, { job: store.insertion(aJob()) });
    expect(await store.find(aJob().id)).toBeDefined();
  });

  test('is removed after its request', async () => {
    const { store, job, row } = await start();
    await store.removeRequest(job.id);
    expect([(await row()) === undefined, await row(`${job.id}#request`)]).toEqual([false, undefined]);
    await store.remove(job.id);
    expect(await row()).toBeUndefined();
  });

  test('that has its request lets a transaction pass, until that is removed', async () => {
    const { store, job, write } = await start();
    const { request, ...state } = job;
    const [here, own] = [state, { ...state, request }].map((each) => store.whileRequested(each));
    await write({ here });
    await write({ own });
    await store.removeRequest(job.id);
    await expect(write({ here })).rejects.toThrow(TransactionRefused);
    await write({ own });
    await store.remove(job.id);
    await expect(write({ own })).rejects.toThrow(TransactionRefused);
  });
});

describe('a step', () => {
  const begun = { type: 'submit_begun', leaseUntil: START.getTime() } as const;

  test('without a new status stays in the list of its status, and with the sweeper', async () => {
    const { dynamo, store, job, row } = await start();
    const before = await row();
    await dynamo.send(new UpdateCommand(store.step(job, transition(job, begun, START, 'one')).Update));
    expect(await row()).toMatchObject({
      step: 'one',
      phase: 'submitting',
      workspace_status: 'ws-1#pending',
      active: before?.active,
    });
  });

  test('with a new status moves to the list of that; the last one leaves the sweeper', async () => {
    const { dynamo, store, job, row } = await start();
    const end = transition(job, { type: 'failed', reason: 'no' }, START, 'one');
    await dynamo.send(new UpdateCommand(store.step(job, end).Update));
    expect(await row()).toMatchObject({ status: 'failed', workspace_status: 'ws-1#failed' });
    expect(await row()).not.toHaveProperty('active');
  });

  test('of a row of an older version, in which steps have no name, is written', async () => {
    const { dynamo, store, job, row, put } = await start();
    await put({ ...(await row()), step: undefined });
    const step = transition(job, begun, START, 'one');
    await dynamo.send(new UpdateCommand(store.step(job, step).Update));
    expect(await row()).toMatchObject({ step: 'one' });
  });

  test('is refused by a row without a name of its step where one was read', async () => {
    const { dynamo, store, job, row, put } = await start();
    await put({ ...(await row()), step: undefined });
    const read = { ...job, step: 'read' };
    const update = store.step(read, transition(read, begun, START, 'one')).Update;
    await expect(dynamo.send(new UpdateCommand(update))).rejects.toThrow('conditional');
  });
});
