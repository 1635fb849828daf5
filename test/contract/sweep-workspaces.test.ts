import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  GetObjectCommand,
  ListBucketsCommand,
  PutObjectCommand,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3';
import { GetCommand, PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createS3Client } from '../../functions/aws/s3.ts';
import { deployedFunctions } from '../deployed/deployed-functions.ts';
import { REMAINS } from '../what-remains.ts';
import { dynamo } from './aws.ts';
import { type Answer, call, form, stage } from './stage.ts';
import { endedVideo, until } from './until.ts';

const { endpoint, region, credentials } = stage.aws;
const s3 = createS3Client({ endpoint, region, credentials, forcePathStyle: true });
const management = { key: stage.managementKey };
const image = readFileSync(join(import.meta.dirname, '../fixtures/files/accepted/ffmpeg.png'));

/** In every text that the test writes into the workspace. */
const MARK = `planted${crypto.randomUUID().replaceAll('-', '')}`.slice(0, 24);
/** Nobody listens there, so that the stage remembers a host that fails. */
const RECEIVER = `http://127.0.0.1:2/${MARK}`;

let workspace: string;
let key: string;
let keyHash: string;
let video: string;
let generation: string;
let environment: Record<string, string>;

async function ok(answer: Promise<Answer>): Promise<Answer> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return answer;
}

const table = (name: string): string => environment[`${name}_TABLE`] ?? '';

/** All that is stored, by the table or bucket: rows, and keys and bytes of objects. */
async function* everything(): AsyncGenerator<[place: string, text: string]> {
  const client = new DynamoDBClient({ ...stage.aws });
  for await (const { TableNames = [] } of paginateListTables({ client }, {})) {
    for (const name of TableNames) for await (const text of rowsOf(name)) yield [name, text];
  }
  client.destroy();
  const { Buckets = [] } = await s3.send(new ListBucketsCommand({}));
  for (const { Name = '' } of Buckets) for await (const text of objectsOf(Name)) yield [Name, text];
}

async function* rowsOf(TableName: string): AsyncGenerator<string> {
  const pages = paginateScan({ client: dynamo }, { TableName, ConsistentRead: true });
  for await (const { Items = [] } of pages) for (const item of Items) yield JSON.stringify(item);
}

async function* objectsOf(Bucket: string): AsyncGenerator<string> {
  for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket })) {
    for (const { Key = '', Size = 0 } of Contents) {
      yield Key;
      // All that this test writes is small; other tests write much that is not.
      if (Size < 100_000) yield await textOf(Bucket, Key);
    }
  }
}

/** Empty where another test has deleted it meanwhile. */
const textOf = async (Bucket: string, Key: string): Promise<string> =>
  s3.send(new GetObjectCommand({ Bucket, Key })).then(
    async ({ Body }) => (await Body?.transformToString('latin1')) ?? '',
    () => '',
  );

/** The tables and buckets in which a text is found. */
async function placesWith(wanted: string): Promise<string[]> {
  const places = new Set<string>();
  for await (const [place, text] of everything()) if (text.includes(wanted)) places.add(place);
  return [...places].sort();
}

/** A workspace that has everything that a workspace can have, and an ended job with every field. */
async function furnish(): Promise<void> {
  const idempotent = { 'idempotency-key': crypto.randomUUID() };
  const settings = {
    name: `${MARK} name`,
    slug: `t-${MARK}`,
    description: `${MARK} description`,
    is_observability_io_logging_enabled: true,
    is_observability_broadcast_enabled: true,
  };
  const made = await ok(call('POST', '/workspaces', { ...management, json: settings, headers: idempotent }));
  workspace = made.body.data.id;
  const inIt = { workspace_id: workspace, name: `${MARK} name` };
  const issued = await ok(call('POST', '/keys', { ...management, json: inIt }));
  key = issued.body.key;
  keyHash = issued.body.data.hash;
  await ok(call('POST', '/guardrails', { ...management, json: inIt }));
  const provider = { ...inIt, provider: 'fal', key: `fal-${MARK}` };
  await ok(call('POST', '/byok', { ...management, json: provider }));
  const path = `/workspaces/${workspace}`;
  const webhook = { default_callback_url: `${RECEIVER}/default` };
  await ok(call('PUT', `${path}/webhook`, { ...management, json: webhook }));
  const destination = { url: `${RECEIVER}/traces`, headers: { authorization: MARK } };
  await ok(call('PUT', `${path}/broadcast`, { ...management, json: destination }));
  await ok(call('POST', `${path}/webhook/test`, { ...management, json: { url: `${RECEIVER}/test` } }));
  await ok(call('POST', '/files', { key, body: form(`${MARK} words`, `${MARK}.txt`) }));
  const url = `data:image/png;base64,${image.toString('base64')}`;
  const json = {
    model: 'sandbox/clip-1',
    prompt: `${MARK} prompt`,
    duration: 1,
    resolution: '360p',
    callback_url: `${RECEIVER}/hook`,
    metadata: { [MARK]: MARK },
    provider: { options: { sandbox: { latency_s: 0 } } },
    frame_images: [{ type: 'image_url', frame_type: 'first_frame', image_url: { url } }],
  };
  const submitted = await ok(call('POST', '/videos', { key, json, headers: idempotent }));
  video = submitted.body.id;
  generation = (await endedVideo(video, key)).body.generation_id;
}

/** Waits for all that happens after the end of a job: its log, its trace, and what is known of its receiver. */
async function settle(): Promise<void> {
  const logged = () => call('GET', `/generation/content?id=${generation}`, management);
  await until(logged, ({ status }) => status === 200);
  await until(
    () => rowsWith(table('HOSTS'), `STREAK#${workspace}`),
    (found) => found > 0,
  );
}

async function rowsWith(name: string, wanted: string): Promise<number> {
  const found = await Array.fromAsync(rowsOf(name));
  return found.filter((text) => text.includes(wanted)).length;
}

const THEN = new Date(Date.now() - 2 * 3_600_000).toISOString();

/** Moves a row to a time when nothing of it can be under way any more. */
async function age(TableName: string, Key: Record<string, string>, change: object = {}): Promise<void> {
  const { Item = {} } = await dynamo.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  const text = JSON.stringify(Item).replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]{12}Z"/g, JSON.stringify(THEN));
  await dynamo.send(new PutCommand({ TableName, Item: { ...JSON.parse(text), ...change } }));
}

const sweeper = async () => (await deployedFunctions(stage.aws)).get('sweep-workspaces') ?? {};

/** The deployed function, with its own rights. */
async function sweep(): Promise<void> {
  const { FunctionName } = await sweeper();
  const lambda = new LambdaClient({ ...stage.aws });
  const { FunctionError, Payload } = await lambda.send(new InvokeCommand({ FunctionName }));
  expect([FunctionError, Payload?.transformToString()]).toEqual([undefined, 'null']);
  lambda.destroy();
}

describe('a workspace that was deleted', () => {
  let before: string[];

  beforeAll(async () => {
    environment = (await sweeper()).Environment?.Variables ?? {};
    await furnish();
    await settle();
    // Bedrock writes below the job's id alone.
    const Bucket = environment.RESULTS_BUCKET;
    const made = { Bucket, Key: `bedrock/${video}/abc/output.mp4`, Body: `${MARK} video` };
    await s3.send(new PutObjectCommand(made));
    before = await placesWith(MARK);
    await ok(call('PATCH', `/keys/${keyHash}`, { ...management, json: { disabled: true } }));
    await ok(call('DELETE', `/workspaces/${workspace}`, management));
    const removal = { pk: `WORKSPACE#${workspace}` };
    await age(table('WORKSPACES'), removal);
    await age(table('JOBS'), { id: video }, { provider: 'bedrock' });
    const swept = async () => {
      await sweep();
      return dynamo.send(new GetCommand({ TableName: table('WORKSPACES'), Key: removal }));
    };
    await until(swept, ({ Item }) => Item?.emptied_at !== undefined);
    await age(table('WORKSPACES'), removal);
    await until(swept, ({ Item }) => Item === undefined);
  });

  test('was everywhere', () => {
    const names = ['BROADCAST', 'EVENTS', 'FILES', 'GUARDRAILS', 'JOBS', 'KEYS', 'PROVIDER_KEYS'];
    const all = [...names, 'REPLAYS', 'WEBHOOK_SETTINGS', 'WORKSPACES'].map(table);
    const buckets = [environment.FILES_BUCKET, environment.RESULTS_BUCKET];
    expect(before).toEqual([...all, ...buckets].sort());
  });

  test('has left no prompt, address, name or byte in any table or bucket', async () => {
    expect(await placesWith(MARK)).toEqual([]);
    expect(await rowsWith(table('GENERATION_LOGS'), workspace)).toBe(0);
  });

  test('has left its ids where they are needed, and nowhere else', async () => {
    const places = await placesWith(workspace);
    const names = [...REMAINS.keys()];
    expect(places.map((place) => names.find((name) => place.includes(name)) ?? place)).toEqual(names);
  });

  test('has left of its jobs only what reports show, to a management key too', async () => {
    const { status, body } = await call('GET', `/generation?id=${generation}`, management);
    expect([status, body.data]).toEqual([
      200,
      expect.objectContaining({ model: 'sandbox/clip-1', status: 'completed', total_cost: 0.01 }),
    ]);
    const shown = await call('GET', `/videos/${video}`, management);
    expect(shown.body).toMatchObject({ status: 'completed', usage: { cost: 0.01 } });
    expect(JSON.stringify([body, shown.body])).not.toContain(MARK);
    const answers = [
      `/generation/content?id=${generation}`,
      `/videos/${video}/content`,
      `/videos/${video}/deliveries`,
    ];
    const statuses = await Promise.all(
      answers.map(async (path) => (await call('GET', path, management)).status),
    );
    expect(statuses).toEqual([404, 410, 200]);
  });
});
