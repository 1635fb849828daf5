import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { inflateRawSync } from 'node:zlib';
import {
  CloudWatchLogsClient,
  FilterLogEventsCommand,
  paginateDescribeLogGroups,
} from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient, paginateListTables, paginateScan } from '@aws-sdk/client-dynamodb';
import { paginateListQueues, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../functions/ids.ts';
import { generateKey } from '../../functions/keys/key-format.ts';
import type { Workspace } from './access-rows.ts';
import { type Answer, type CallOptions, call, form, newWorkspace, stage } from './stage.ts';

/** Everything that a deployment stores about its requests, as text, by the place where it is stored. */
type Evidence = ReadonlyMap<string, string>;

/** All lines of all log groups. CloudWatch forgets lines, so the run's own copy is read too. */
async function readLogs(): Promise<string> {
  const client = new CloudWatchLogsClient({ ...stage.aws });
  const lines: string[] = [];
  for await (const { logGroups = [] } of paginateDescribeLogGroups({ client }, {})) {
    for (const { logGroupName } of logGroups) {
      const { events = [] } = await client.send(new FilterLogEventsCommand({ logGroupName }));
      lines.push(...events.map(({ message = '' }) => message));
    }
  }
  client.destroy();
  // Read after CloudWatch: a line that has left CloudWatch by then is in this copy.
  const copied = await readFile(stage.logFile, 'utf8');
  lines.push(
    ...copied
      .split('\n')
      // The last line may be incomplete.
      .slice(0, -1)
      .map((line) => JSON.parse(line).text),
  );
  return lines.join('\n');
}

/** Waits until the logs contain all these marks. A function's lines arrive together, shortly after its answer. */
async function logsWith(marks: readonly string[], deadline = Date.now() + 30_000): Promise<string> {
  const logs = await readLogs();
  const missing = marks.filter((mark) => !logs.includes(mark));
  if (missing.length === 0) return logs;
  if (Date.now() > deadline) throw new Error(`nothing was logged of ${missing.join(', ')}`);
  await wait(250);
  return logsWith(marks, deadline);
}

/** All attributes of all rows of all tables. */
async function readTables(): Promise<Evidence> {
  const client = new DynamoDBClient({ ...stage.aws });
  const tables = new Map<string, string>();
  for await (const { TableNames = [] } of paginateListTables({ client }, {})) {
    for (const TableName of TableNames) {
      const rows: unknown[] = [];
      for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
        // The bodies of events are packed.
        rows.push(
          ...Items,
          ...Items.flatMap(({ body }) => (body?.B ? [inflateRawSync(body.B).toString()] : [])),
        );
      }
      tables.set(TableName, JSON.stringify(rows));
    }
  }
  client.destroy();
  return tables;
}

/** The messages of all queues, including dead letters. Reading does not remove them. */
async function readQueues(): Promise<Evidence> {
  const client = new SQSClient({ ...stage.aws });
  const queues = new Map<string, string>();
  for await (const { QueueUrls = [] } of paginateListQueues({ client }, {})) {
    for (const QueueUrl of QueueUrls) {
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 }),
      );
      queues.set(QueueUrl, JSON.stringify(Messages));
    }
  }
  client.destroy();
  return queues;
}

/** Whether a text contains a secret, in plain form or as JSON, a URL or base64 would write it. */
function holds(text: string, secret: string): boolean {
  const plain = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
  return [...plain, ...base64Forms(secret)].some((form) => text.includes(form));
}

/**
 * Base64 of a text differs at each of three offsets. The first and last characters also depend on the neighbours, so
 * they are cut off.
 */
function base64Forms(secret: string): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.from('x'.repeat(offset) + secret).toString('base64url');
    const form = encoded.slice(offset === 0 ? 0 : offset + 1, -2);
    return [form, form.replaceAll('-', '+').replaceAll('_', '/')];
  });
}

interface RefusedSecrets {
  readonly key: string;
  readonly managementKey: string;
  /** A well-formed key that does not exist. */
  readonly unknown: string;
  readonly prompt: string;
  readonly content: string;
  readonly providerKey: string;
}

/** Requests that are refused. Each secret appears in every place where a caller could put it. */
function requestsToRefuse(secrets: RefusedSecrets): [string, string, CallOptions][] {
  return [...credentialsAndPaths(secrets), ...bodies(secrets), ...providerKeys(secrets), ...files(secrets)];
}

function credentialsAndPaths({
  key,
  managementKey,
  unknown,
}: RefusedSecrets): [string, string, CallOptions][] {
  return [
    ['GET', '/files', { key: unknown }],
    ['GET', '/files', { headers: { 'x-api-key': `${key}x` } }],
    ['GET', '/files', { headers: { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` } }],
    ['GET', '/files', { headers: { authorization: key } }],
    ['GET', `/files?limit=${key}`, { key }],
    ['GET', `/files?workspace_id=${key}`, { key }],
    ['GET', `/files/${key}`, { key }],
    ['GET', `/videos/${managementKey}/content`, { key }],
    ['GET', `/keys/${managementKey}`, { key: managementKey }],
    ['DELETE', `/keys/${key}`, { key: managementKey }],
    ['GET', `/nothing/${key}?api_key=${key}`, { key }],
  ];
}

function bodies({ key, managementKey, unknown, prompt }: RefusedSecrets): [string, string, CallOptions][] {
  const video = (change: object) => ({ key, json: { model: 'sandbox/clip-1', prompt, ...change } });
  const json = { 'content-type': 'application/json' };
  return [
    ['POST', '/keys', { key: managementKey, json: { name: 'a', expires_at: key } }],
    ['POST', '/keys', { key: managementKey, json: { name: 'a', workspace_id: managementKey } }],
    ['POST', '/workspaces', { key: managementKey, json: { name: 'a', slug: key } }],
    ['POST', '/workspaces', { key, json: { name: key, slug: 'a' } }],
    ['POST', '/videos', { key, headers: json, body: `{"prompt":"${prompt}","api_key":"${key}"` }],
    ['POST', '/videos', { key, headers: json, body: `{"prompt":"${prompt}","prompt":"${prompt}"}` }],
    ['POST', '/videos', { key, headers: { 'content-type': 'text/plain' }, body: prompt }],
    ['POST', '/videos', { key: unknown, json: { model: 'sandbox/clip-1', prompt } }],
    ['POST', '/videos', video({ prompt: prompt.repeat(1_000) })],
    ['POST', '/videos', video({ prompt: { text: prompt } })],
    ['POST', '/videos', video({ duration: key })],
    ['POST', '/videos', video({ size: key })],
    ['POST', '/videos', video({ frame_images: [{ type: 'image_url', image_url: { url: key } }] })],
    ['POST', '/videos', video({ callback_url: `https://user:${key}@example.com/` })],
    ['POST', '/videos', video({ callback_url: `http://example.com/?token=${key}` })],
  ];
}

function providerKeys({ key, managementKey, providerKey }: RefusedSecrets): [string, string, CallOptions][] {
  const create = (json: object) => ({
    key: managementKey,
    json: { provider: 'openai', key: providerKey, ...json },
  });
  return [
    ['POST', '/byok', { ...create({}), key }],
    ['POST', '/byok', create({ provider: providerKey })],
    ['POST', '/byok', create({ provider: 'unheard-of' })],
    ['POST', '/byok', create({ key: `${providerKey} with a space` })],
    ['POST', '/byok', create({ key: { secret: providerKey } })],
    ['POST', '/byok', create({ workspace_id: providerKey })],
    ['GET', `/byok/${providerKey}`, { key: managementKey }],
  ];
}

function files({ key, content }: RefusedSecrets): [string, string, CallOptions][] {
  const truncated = { 'content-type': 'multipart/form-data; boundary=x' };
  return [
    ['POST', '/files', { key, body: form(`\0${content}`) }],
    ['POST', '/files', { key, headers: truncated, body: `--x\r\n${key}` }],
    ['POST', '/files?provider=anthropic', { key, body: form(content) }],
  ];
}

const VIDEO = { model: 'sandbox/clip-1', duration: 1, size: '640x360' };
const QUICK = { latency_s: 0 };

/** The secrets by their meaning, and the answers to the requests that contained them. */
class Planted {
  readonly secrets = new Map<string, string>();
  readonly answers: Answer[] = [];
  /** Strings that will be in the logs: refused and failed requests, jobs, webhook attempts. */
  readonly marks: string[] = [];

  plant(name: string, secret = `${name.replaceAll(' ', '-')}-${randomUUID()}`): string {
    this.secrets.set(name, secret);
    return secret;
  }

  /** Sends a request whose answer must not contain any secret. */
  async send(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const id = `secrets-${randomUUID()}`;
    const headers = { 'x-request-id': id, ...options.headers };
    const answer = await call(method, path, { ...options, headers });
    this.answers.push(answer);
    if (answer.status >= 400) this.marks.push(id);
    return answer;
  }
}

/** Sends every secret in requests that succeed, are refused or fail. */
async function plantSecrets(): Promise<Planted> {
  const planted = new Planted();
  const { server, address } = await openReceiver();
  try {
    const { workspace, key, managementKey } = await plantCredentials(planted);
    await plantProviderKey(planted, workspace.id, managementKey);
    await plantFile(planted, key);
    await plantBroadcast(planted, workspace, managementKey, address);
    await plantVideos(planted, workspace, managementKey, address);
    await readBack(planted, workspace, managementKey);
    await refuse(planted, key, managementKey);
    await breakDown(planted, workspace);
    return planted;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

async function openReceiver(): Promise<{ server: Server; address: string }> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(request.url?.startsWith('/fail') ? 500 : 204).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function untilEnded(id: string, key: string): Promise<string> {
  for (;;) {
    const { status } = (await call('GET', `/videos/${id}`, { key })).body;
    if (!['pending', 'in_progress'].includes(status)) return status;
    await wait(250);
  }
}

/** Keys and a signing secret. Each is shown once, in the answer that creates it. */
async function plantCredentials(planted: Planted) {
  const workspace = await newWorkspace();
  const key = planted.plant('an API key', workspace.key);
  const made = await call('POST', '/keys', {
    key: stage.managementKey,
    json: { name: 'Canary', management: true },
  });
  const managementKey = planted.plant('a management key', made.body.key);
  const rotated = await call('POST', `/workspaces/${workspace.id}/webhook-secret/rotate`, {
    key: managementKey,
    json: {},
  });
  planted.plant('a webhook secret', rotated.body.secret);
  return { workspace, key, managementKey };
}

async function plantProviderKey(planted: Planted, workspaceId: string, managementKey: string) {
  const secret = planted.plant('a provider key', `sk-proj-${randomBytes(24).toString('hex')}`);
  const json = { provider: 'openai', key: secret, workspace_id: workspaceId };
  const { body } = await planted.send('POST', '/byok', { key: managementKey, json });
  const path = `/byok/${body.data.id}`;
  await planted.send('PATCH', path, { key: managementKey, json: { name: 'Canary', key: secret } });
  for (const shown of [path, `/byok?workspace_id=${workspaceId}`]) {
    await planted.send('GET', shown, { key: managementKey });
  }
}

/** A file, its link, and a callback URL that contains a token. */
async function plantFile(planted: Planted, key: string) {
  const content = `A note: ${planted.plant('a file’s content')}`;
  const file = await planted.send('POST', '/files', { key, body: form(content) });
  const link = await call('GET', `/files/${file.body.id}/content`, { key });
  const { searchParams } = new URL(link.headers.get('location')!);
  planted.plant('the signature of a link', searchParams.get('Signature')!);
}

/** Traces for the receiver, with a header that nobody else may see. */
async function plantBroadcast(
  planted: Planted,
  { id }: Workspace,
  key: string,
  receiver: string,
): Promise<void> {
  const headers = { authorization: `Bearer ${planted.plant('a header of a destination')}` };
  const path = `/workspaces/${id}/broadcast`;
  await planted.send('PUT', path, { key, json: { url: `${receiver}/traces`, headers } });
  await planted.send('PUT', path, { key, json: { url: 'none', headers } });
  await planted.send('GET', path, { key });
  const wanted = { is_observability_broadcast_enabled: true };
  await planted.send('PATCH', `/workspaces/${id}`, { key, json: wanted });
  expect((await planted.send('POST', `${path}/test`, { key })).body.data.delivered).toBe(true);
  planted.marks.push('trace attempted');
}

/**
 * Videos that succeed and videos that fail. Their webhooks go to a receiver that accepts, to one that fails, and to an
 * address where nothing listens.
 */
async function plantVideos(
  planted: Planted,
  { id, key }: Workspace,
  managementKey: string,
  receiver: string,
) {
  const token = planted.plant('the token of a callback URL');
  // Not sent as a planted request, because the answer shows this setting to its owner.
  const json = { default_callback_url: `${receiver}/hook?token=${token}` };
  await call('PUT', `/workspaces/${id}/webhook`, { key: managementKey, json });

  const prompt = `A fox. ${planted.plant('the prompt')}`;
  const foreignKey = `sk-proj-${randomBytes(24).toString('hex')}`;
  const other = { api_key: planted.plant('a key of another provider', foreignKey) };
  const unknown = { note: planted.plant('an option for the provider') };
  const jobs = await Promise.all(
    [
      { provider: { options: { sandbox: QUICK, other } } },
      { provider: { options: { sandbox: { ...QUICK, outcome: 'failed' } } } },
      { provider: { options: { sandbox: unknown } } },
      { provider: { options: { sandbox: QUICK } }, callback_url: `${receiver}/fail?token=${token}` },
      { provider: { options: { sandbox: QUICK } }, callback_url: `http://127.0.0.1:1/?token=${token}` },
    ].map((change) => planted.send('POST', '/videos', { key, json: { ...VIDEO, prompt, ...change } })),
  );
  // The second request gets the stored answer. Both the answer and a digest of the request are stored.
  const repeated = { key, json: { ...VIDEO, prompt }, headers: { 'idempotency-key': randomUUID() } };
  for (let i = 0; i < 2; i++) await planted.send('POST', '/videos', repeated);
  const accepted = jobs.filter(({ status }) => status === 202);
  expect(accepted).toHaveLength(4);
  await Promise.all(accepted.map(({ body }) => untilEnded(body.id, key)));
  for (const { body } of accepted) {
    planted.marks.push(body.id);
    await planted.send('GET', `/videos/${body.id}`, { key });
    await planted.send('GET', `/videos/${body.id}/events`, { key });
  }
  planted.marks.push('webhook attempted');
}

async function readBack(planted: Planted, workspace: Workspace, managementKey: string) {
  for (const path of ['/key', '/files', '/videos']) await planted.send('GET', path, { key: workspace.key });
  const own = `/workspaces/${workspace.id}`;
  for (const path of ['/keys', '/workspaces', own, `${own}/budgets`, '/credits']) {
    await planted.send('GET', path, { key: managementKey });
  }
}

async function refuse(planted: Planted, key: string, managementKey: string) {
  planted.plant('a key that nobody has', generateKey('normal', randomBytes));
  const secret = (name: string) => planted.secrets.get(name) ?? '';
  const requests = requestsToRefuse({
    key,
    managementKey,
    unknown: secret('a key that nobody has'),
    prompt: secret('the prompt'),
    content: secret('a file’s content'),
    providerKey: secret('a provider key'),
  });
  for (const [method, path, options] of requests) {
    const { status } = await planted.send(method, path, options);
    expect([method, path, Math.floor(status / 100)]).toEqual([method, path, 4]);
  }
}

/** Rows that Genway never writes. A job is shown as far as it can be read, and a file gets a 500. */
async function breakDown(planted: Planted, { id: workspaceId, key }: Workspace) {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ ...stage.aws }));
  const tables = [...(await readTables()).keys()];
  const jobs = tables.find((name) => /Jobs/.test(name));
  const files = tables.find((name) => /Files/.test(name));
  const id = newId.video(new Date());
  const file = newId.file(new Date());
  const broken = planted.plant('a field of a broken row');
  const Item = { id, workspace_id: workspaceId, seq: `a\n${broken}`, history: [broken] };
  await client.send(new PutCommand({ TableName: jobs, Item }));
  await client.send(new PutCommand({ TableName: files, Item: { ...Item, id: file } }));
  client.destroy();
  const options = { key, describes: 'a broken row' } as const;
  expect((await planted.send('GET', `/videos/${id}`, options)).status).toBe(200);
  expect((await planted.send('GET', `/files/${file}`, { key })).status).toBe(500);
}

/** Each planted value that some rows may contain, and their table. The caller asked to have these values stored. */
const ALLOWED: Readonly<Record<string, RegExp>> = {
  'the prompt': /Jobs/,
  'an option for the provider': /Jobs/,
  'a field of a broken row': /Jobs|Files/,
  'the token of a callback URL': /Jobs|WebhooksEvents|WebhooksSettings/,
};

let planted: Planted;
let logs: string;
let tables: Evidence;
let queues: Evidence;

beforeAll(async () => {
  planted = await plantSecrets();
  logs = await logsWith(planted.marks);
  tables = await readTables();
  queues = await readQueues();
});

describe('a planted secret', () => {
  const found = (text: string) =>
    [...planted.secrets].filter(([, secret]) => holds(text, secret)).map(([name]) => name);

  test('is found by the search, in every encoding', () => {
    for (const secret of planted.secrets.values()) {
      for (const text of [secret, JSON.stringify({ a: secret }), `?a=${encodeURIComponent(secret)}`]) {
        expect(holds(text, secret)).toBe(true);
      }
      for (const before of ['', 'a', 'ab']) {
        expect(holds(Buffer.from(`${before}${secret} and more`).toString('base64'), secret)).toBe(true);
      }
      expect(holds(secret.slice(0, -1), secret)).toBe(false);
    }
    expect(planted.secrets.size).toBe(13);
  });

  test('is in no line of any log, and so in no metric', () => {
    expect(logs).toMatch(/"_aws":\{.*"Namespace":"Genway\/local"/);
    expect(logs).toContain('request failed');
    expect(logs).toContain('webhook attempted');
    expect(found(logs)).toEqual([]);
  });

  test('is only in the rows that store it', () => {
    expect(tables.size).toBeGreaterThanOrEqual(5);
    for (const [table, rows] of tables) {
      expect([table, found(rows).filter((name) => !ALLOWED[name]?.test(table))]).toEqual([table, []]);
    }
    const jobs = [...tables].find(([table]) => /Jobs/.test(table))?.[1] ?? '';
    expect(found(jobs)).toContain('the prompt');
  });

  test('is in no message of any queue', () => {
    expect([...queues.keys()].filter((url) => /DeadLetter|Dlq/i.test(url))).not.toEqual([]);
    for (const [queue, messages] of queues) expect([queue, found(messages)]).toEqual([queue, []]);
  });

  test('is in no response, including refusals', () => {
    for (const { status, headers, body } of planted.answers) {
      expect([status, found(JSON.stringify([[...headers], body]))]).toEqual([status, []]);
    }
  });
});
