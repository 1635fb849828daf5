import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { type CallbackPorts, receiveCallback } from '../../../functions/videos/callbacks/receive-callback.ts';
import type { JobWithRequest } from '../../../functions/videos/jobs/job.ts';
import type { JobMessage } from '../../../functions/videos/jobs/job-queue.ts';
import { JobStore } from '../../../functions/videos/jobs/job-store.ts';
import { DeployedStage } from '../../deployed/deployed-stage.ts';
import { AwsWorld } from '../../engines/index.ts';
import { aJob, START } from '../jobs/job-fixture.ts';

const polling = { phase: 'polling', status: 'in_progress', submits: 1 } as const;
const submit = { job: aJob().id, submit: 1, provider: 'fal' };
const ended = {
  headers: {},
  body: Buffer.from('{"status":"OK","payload":{"video":{"url":"https://evil/"}}}'),
};

/** A stage with one job, called by a provider. */
async function stageWith(change: Partial<JobWithRequest>, keys: readonly string[] = []) {
  const world = new AwsWorld();
  const { dynamo } = world.startProcess();
  const jobs = new JobStore(dynamo, new DeployedStage(world).name('Videos-Jobs'), () => undefined);
  for (const { Put } of jobs.insertion(aJob(change)))
    await dynamo.send(new PutCommand({ TableName: Put.TableName, Item: Put.Item }));
  const sent: JobMessage[] = [];
  const refused: string[] = [];
  const ports: CallbackPorts = {
    jobs,
    polls: { send: async (message) => void sent.push(message) },
    keysOf: () => keys,
    countRefused: (provider) => void refused.push(provider),
    now: () => START,
    log: { info: () => undefined },
  };
  const call = (of = submit, request = ended) => receiveCallback(of, request, ports);
  return { call, sent, refused, find: () => jobs.find(submit.job) };
}

test('a callback has the provider asked now, and changes nothing else of the job', async () => {
  const stage = await stageWith(polling);
  const before = await stage.find();
  await stage.call();
  expect(stage.sent).toEqual([{ v: 1, job_id: submit.job, seq: 0, hint: 1 }]);
  expect(await stage.find()).toEqual({ ...before, callbacks: 1 });
});

test('of a thousand repetitions three have an effect', async () => {
  const stage = await stageWith(polling);
  for (let i = 0; i < 1_000; i++) await stage.call();
  expect(stage.sent).toHaveLength(3);
  expect(await stage.find()).toMatchObject({ callbacks: 3 });
});

test.each(['submitting', 'made', 'copying'] as const)('it is noted while the job is %s', async (phase) => {
  const stage = await stageWith({ ...polling, phase });
  await stage.call();
  expect(await stage.find()).toMatchObject({ phase, callbacks: 1 });
});

test.each([
  ['for a job that has ended', { phase: 'settled' }, submit],
  ['for a job that waits for its next submit', { phase: 'queued' }, submit],
  ['of an earlier submit', { submits: 2 }, submit],
  ['for a job that is gone', {}, { ...submit, job: `${submit.job.slice(0, -1)}b` }],
] as const)('a callback %s does nothing', async (_, change, of) => {
  const stage = await stageWith({ ...polling, ...change });
  await stage.call(of);
  expect(stage.sent).toEqual([]);
  expect(await stage.find()).not.toHaveProperty('callbacks');
});

test.each([
  ['{"id":"cgt-1","status":"queued"}', 0],
  ['{"id":"cgt-1","status":"running"}', 0],
  ['{"task_id":"1","task_status":"processing"}', 0],
  ['{"id":"cgt-1","status":"succeeded"}', 1],
  ['{"task_id":"1","task_status":"failed"}', 1],
  ['{"status":7}', 1],
  ['no JSON', 1],
  ['', 1],
])('the body %s leads to %i polls', async (body, polls) => {
  const stage = await stageWith(polling);
  await stage.call(submit, { headers: {}, body: Buffer.from(body) });
  expect(stage.sent).toHaveLength(polls);
});

test('a body may have 64 KiB', async () => {
  const stage = await stageWith(polling);
  const sized = (bytes: number) => ({ headers: {}, body: Buffer.alloc(bytes, ' ') });
  await stage.call(submit, sized(65_536));
  await expect(stage.call(submit, sized(65_537))).rejects.toMatchObject({ status: 413 });
  expect(stage.sent).toHaveLength(1);
});

test('a callback that its provider has not signed is refused and counted', async () => {
  const stage = await stageWith(polling, ['A'.repeat(43)]);
  await expect(stage.call()).rejects.toMatchObject({ status: 401 });
  expect([stage.sent, stage.refused]).toEqual([[], ['fal']]);
});
