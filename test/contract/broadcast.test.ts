import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { OpenRouter } from '@openrouter/sdk';
import { hashKey } from '../../functions/keys/key-format.ts';
import { eventIdOf, traceIdOf } from '../../functions/webhooks/events/event.ts';
import { decodeSpan } from '../broadcast/otlp-schema.ts';
import { type LocalServer, openServer, type Received } from '../local-server.ts';
import { dynamo, tableNamed } from './aws.ts';
import { call, newWorkspace, stage } from './stage.ts';
import { endedVideo, until } from './until.ts';

const key = stage.managementKey;
const SECRET = 'hcaik_planted_secret_of_a_destination';
/** The collector's next answers. */
let answer = { status: 200, body: '{"partialSuccess":{}}' };
let collector: LocalServer;

beforeAll(async () => {
  collector = await openServer((_, response) => response.writeHead(answer.status).end(answer.body));
});
afterEach(() => {
  answer = { status: 200, body: '{"partialSuccess":{}}' };
  collector.received.length = 0;
});
afterAll(() => collector.close());

type Workspace = Awaited<ReturnType<typeof newWorkspace>>;

const broadcastOf = ({ id }: Workspace) => `/workspaces/${id}/broadcast`;
const put = (workspace: Workspace, json: object) => call('PUT', broadcastOf(workspace), { key, json });
const setFlag = (workspace: Workspace, enabled: boolean) =>
  call('PATCH', `/workspaces/${workspace.id}`, {
    key,
    json: { is_observability_broadcast_enabled: enabled },
  });
const sendTest = (workspace: Workspace) => call('POST', `${broadcastOf(workspace)}/test`, { key });
const traces = () => ({ url: `${collector.url}/v1/traces`, headers: { 'X-Honeycomb-Team': SECRET } });

async function workspaceWithTraces(): Promise<Workspace> {
  const workspace = await newWorkspace();
  await setFlag(workspace, true);
  await put(workspace, traces());
  return workspace;
}

async function endedJob(
  workspace: Workspace,
  outcome: 'completed' | 'failed',
  user?: string,
): Promise<string> {
  const { body } = await call('POST', '/videos', {
    key: workspace.key,
    json: {
      model: 'sandbox/clip-1',
      prompt: 'PLANTED-PROMPT',
      duration: 1,
      size: '640x360',
      ...(user === undefined ? {} : { user }),
      provider: { options: { sandbox: { outcome, latency_s: 0 } } },
    },
  });
  const ended = await endedVideo(body.id, workspace.key);
  expect(ended.body.status).toBe(outcome);
  return body.id;
}

const spanOf = (jobId: string) =>
  collector.received
    .map(({ body }) => decodeSpan(body))
    .filter(({ attributes }) => attributes['genway.job.id'] === jobId);
/** The trace's row in the outbox, which no list shows. */
async function traceOf(jobId: string) {
  const Key = { id: traceIdOf(eventIdOf(jobId)) };
  return (await dynamo.send(new GetCommand({ TableName: await tableNamed('WebhooksEvents'), Key }))).Item;
}
const spanOnceSent = async (jobId: string) => {
  const [span] = await until(
    async () => spanOf(jobId),
    (spans) => spans.length > 0,
  );
  return span;
};

describe('the destination of a workspace’s traces', () => {
  test('is set, shown without the values of its headers, and removed', async () => {
    const workspace = await newWorkspace();
    const none = { data: { url: null, headers: {}, enabled: false, updated_at: null } };
    expect((await call('GET', broadcastOf(workspace), { key })).body).toEqual(none);

    const set = await put(workspace, traces());
    const shown = { url: traces().url, headers: { 'x-honeycomb-team': '********' }, enabled: false };
    expect([set.status, set.body.data]).toEqual([200, { ...shown, updated_at: expect.any(String) }]);
    const read = await call('GET', broadcastOf(workspace), { key });
    expect(read.body).toEqual(set.body);
    expect(JSON.stringify(read.body)).not.toContain(SECRET);

    const deleted = await call('DELETE', broadcastOf(workspace), { key });
    expect([deleted.status, deleted.body]).toEqual([200, { deleted: true }]);
    expect((await call('GET', broadcastOf(workspace), { key })).body).toEqual(none);
  });

  test.each([
    ['http://traces.genway.dev/v1/traces', /https/],
    ['https://10.0.0.7/v1/traces', /IP address/],
    ['https://user:pass@traces.genway.dev/', /credentials/],
    ['https://169.254.169.254/latest', /IP address/],
  ])('is refused as %s', async (url, rule) => {
    const { status, body } = await put(await newWorkspace(), { url });
    expect([status, body.error.metadata.path]).toEqual([400, 'url']);
    expect(body.error.message).toMatch(rule);
  });

  test('refuses headers that would change the request', async () => {
    const { status, body } = await put(await newWorkspace(), { ...traces(), headers: { host: 'inside' } });
    expect([status, body.error.metadata.path]).toEqual([400, 'headers.host']);
  });
});

describe('a test span', () => {
  test('is sent at once with the headers, and its outcome is shown', async () => {
    const workspace = await newWorkspace();
    await put(workspace, traces());
    const { status, body } = await sendTest(workspace);
    expect([status, body.data]).toEqual([
      200,
      {
        delivered: true,
        outcome: '2xx',
        status: 200,
        milliseconds: expect.any(Number),
        request_id: expect.any(String),
        trace_id: expect.any(String),
      },
    ]);
    const [{ headers, body: sent }] = collector.received as [Received];
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-honeycomb-team': SECRET,
      'x-request-id': body.data.request_id,
    });
    expect(decodeSpan(sent)).toMatchObject({
      traceId: body.data.trace_id,
      attributes: { 'genway.test': true, 'genway.workspace.id': workspace.id },
    });
  });

  test('that is refused, or rejected in a 200, reports it', async () => {
    const workspace = await newWorkspace();
    await put(workspace, traces());
    answer = { status: 401, body: '' };
    expect((await sendTest(workspace)).body.data).toMatchObject({
      delivered: false,
      outcome: '4xx',
      status: 401,
    });
    answer = { status: 200, body: '{"partialSuccess":{"rejectedSpans":"1","errorMessage":"no"}}' };
    expect((await sendTest(workspace)).body.data).toMatchObject({ delivered: false, status: 200 });
  });

  test('needs a destination', async () => {
    const { status, body } = await sendTest(await newWorkspace());
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('no destination')]);
  });
});

test('each ended job makes one span, while the workspace wants spans', async () => {
  const workspace = await workspaceWithTraces();
  const completed = await endedJob(workspace, 'completed');
  const failed = await endedJob(workspace, 'failed');
  expect(await spanOnceSent(completed)).toMatchObject({
    name: 'generate_content sandbox/clip-1',
    attributes: {
      'gen_ai.operation.name': 'generate_content',
      'gen_ai.provider.name': 'sandbox',
      'gen_ai.request.model': 'sandbox/clip-1',
      'gen_ai.response.id': expect.stringMatching(/^gen_/),
      'genway.job.status': 'completed',
      'genway.workspace.id': workspace.id,
      'genway.cost.usd': expect.any(Number),
    },
    status: { code: 0 },
  });
  expect(await spanOnceSent(failed)).toMatchObject({
    attributes: { 'genway.job.status': 'failed', 'error.type': expect.any(String), 'genway.cost.usd': 0 },
    status: { code: 2 },
  });
  expect(JSON.stringify(collector.received)).not.toContain('PLANTED-PROMPT');
  for (const { headers } of collector.received) expect(headers['x-honeycomb-team']).toBe(SECRET);

  // A trace must not appear among the webhook deliveries.
  const deliveries = await call('GET', `/workspaces/${workspace.id}/webhook-deliveries`, { key });
  expect(deliveries.body.data.map(({ job_id }: { job_id: string }) => job_id).sort()).toEqual(
    [completed, failed].sort(),
  );

  await setFlag(workspace, false);
  const unwanted = await endedJob(workspace, 'completed');
  // Once its webhook has no address to go to, the deliverer has handled the whole event.
  await until(
    async () => (await call('GET', `/videos/${unwanted}/deliveries`, { key: workspace.key })).body.data,
    ([delivery]) => delivery?.status === 'no_address',
  );
  await setFlag(workspace, true);
  const wanted = await endedJob(workspace, 'completed');
  await spanOnceSent(wanted);
  expect([completed, failed, unwanted, wanted].map((id) => spanOf(id).length)).toEqual([1, 1, 0, 1]);
});

describe('destinations, as OpenRouter’s client sets them', () => {
  const { observability } = new OpenRouter({
    serverURL: stage.baseUrl,
    apiKey: key,
    retryConfig: { strategy: 'none' },
  });
  const webhook = (workspaceId: string, more: object = {}) =>
    observability.create({
      createObservabilityDestinationRequest: {
        type: 'webhook',
        name: 'Ours',
        workspaceId,
        config: { url: `${collector.url}/traces`, method: 'PUT', headers: { 'X-Key': SECRET } },
        ...more,
      },
    });
  const all = async (workspaceId: string) => {
    const found = [];
    for await (const { result } of await observability.list({ workspaceId })) found.push(...result.data);
    return found;
  };

  test('are created, listed, read, changed and deleted, and shown by both entrances', async () => {
    const workspace = await newWorkspace();
    expect(await all(workspace.id)).toEqual([]);
    const { data: made } = await webhook(workspace.id, { samplingRate: 0.5 });
    expect(made).toMatchObject({
      id: workspace.id,
      workspaceId: workspace.id,
      type: 'webhook',
      name: 'Ours',
      config: { url: `${collector.url}/traces`, method: 'PUT', headers: { 'x-key': '********' } },
      enabled: true,
      samplingRate: 0.5,
      apiKeyHashes: null,
      filterRules: null,
      broadcastGenerationCost: false,
      privacyMode: true,
      regions: ['global'],
    });
    expect(await all(workspace.id)).toEqual([made]);
    expect((await observability.get({ id: workspace.id })).data).toEqual(made);
    const { body } = await call('GET', broadcastOf(workspace), { key });
    expect(body.data).toMatchObject({ url: `${collector.url}/traces`, headers: { 'x-key': '********' } });

    // The other entrance changes the address alone.
    await put(workspace, { url: `${collector.url}/other` });
    const { data: moved } = await observability.get({ id: workspace.id });
    const config = { url: `${collector.url}/other`, method: 'PUT', headers: {} };
    expect(moved).toMatchObject({ type: 'webhook', samplingRate: 0.5, config });
    const change = { name: 'Theirs', enabled: false, apiKeyHashes: ['a'.repeat(64)] };
    const request = { id: workspace.id, updateObservabilityDestinationRequest: change };
    expect((await observability.update(request)).data).toMatchObject({ ...change, samplingRate: 0.5 });
    expect(await observability.delete({ id: workspace.id })).toEqual({ deleted: true });
    await expect(observability.get({ id: workspace.id })).rejects.toMatchObject({ statusCode: 404 });
    await expect(observability.delete({ id: workspace.id })).rejects.toMatchObject({ statusCode: 404 });
  });

  test('one in each workspace', async () => {
    const { id } = await newWorkspace();
    await webhook(id);
    await expect(webhook(id)).rejects.toMatchObject({ statusCode: 409 });
    await expect(webhook(crypto.randomUUID())).rejects.toMatchObject({ statusCode: 400 });
  });

  test('keep headers that come back as they were shown, but not for another address', async () => {
    const { id } = await newWorkspace();
    await webhook(id);
    const path = `/observability/destinations/${id}`;
    const { config: shown } = (await call('GET', path, { key })).body.data;
    const patch = (config: object) => call('PATCH', path, { key, json: { config } });
    expect((await patch({ ...shown, method: 'POST' })).body.data.config).toMatchObject({
      method: 'POST',
      headers: { 'x-key': '********' },
    });
    const elsewhere = `${collector.url}/elsewhere`;
    for (const config of [{ url: elsewhere }, { ...shown, url: elsewhere }]) {
      const { status, body } = await patch(config);
      expect([status, body.error.metadata.path]).toEqual([400, 'config.headers']);
    }
    const mixed = await patch({ headers: { 'x-key': '********', 'x-other': 'a' } });
    expect([mixed.status, mixed.body.error.metadata.path]).toEqual([400, 'config.headers.x-key']);
    const moved = await patch({ url: elsewhere, headers: {} });
    expect(moved.body.data.config).toEqual({ url: elsewhere, method: 'POST', headers: {} });
  });

  const OTEL = { endpoint: 'https://traces.genway.dev/v1/traces' };
  test.each<[string, object, string, RegExp]>([
    [
      'another service',
      { type: 'langfuse' },
      'type',
      /otel-collector, webhook; to send traces to another service/,
    ],
    [
      'the field of another kind',
      { config: { url: OTEL.endpoint } },
      'config.url',
      /must be omitted if type is otel/,
    ],
    ['no address', { config: {} }, 'config.endpoint', /required/],
    ['an address inside', { config: { endpoint: 'https://10.0.0.7/' } }, 'config.endpoint', /IP address/],
    ['a region', { regions: ['eu'] }, 'regions.0', /must be "global"/],
    ['a region in no list', { regions: 'global' }, 'regions', /must be \["global"\]/],
    ['no sampling', { sampling_rate: 0 }, 'sampling_rate', /0.0001 to 1/],
    ['no key', { api_key_hashes: [] }, 'api_key_hashes', /1 to 100/],
    [
      'no hash',
      { api_key_hashes: ['x'] },
      'api_key_hashes.0',
      /^api_key_hashes\.0: must be the hash of a key$/,
    ],
    [
      'costs of tokens',
      { broadcast_generation_cost_allocation: true },
      'broadcast_generation_cost_allocation',
      /traces do not break down the cost/,
    ],
  ])('refuse %s', async (_, change, path, rule) => {
    const json = { type: 'otel-collector', name: 'Ours', config: OTEL, ...change };
    const { status, body } = await call('POST', '/observability/destinations', { key, json });
    expect([status, body.error.metadata.path]).toEqual([400, path]);
    expect(body.error.message).toMatch(rule);
  });

  test('are of the workspaces of a management key alone', async () => {
    const { id } = await newWorkspace();
    await webhook(id);
    const json = { name: 'Elsewhere', management: true, scope: { workspaces: [(await newWorkspace()).id] } };
    const { body: limited } = await call('POST', '/keys', { key, json });
    const path = `/observability/destinations/${id}`;
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const { status } = await call(method, path, {
        key: limited.key,
        ...(method === 'PATCH' ? { json: {} } : {}),
      });
      expect([method, status]).toEqual([method, 404]);
    }
    expect((await call('GET', path, { key })).status).toBe(200);
  });

  test('get the traces that they choose', async () => {
    const workspace = await newWorkspace();
    await setFlag(workspace, true);
    const rules = [{ field: 'user_id' as const, operator: 'equals' as const, value: 'ada' }];
    const apiKeyHashes = [hashKey(workspace.key)];
    await webhook(workspace.id, { apiKeyHashes, filterRules: { groups: [{ rules }] } });
    const [unchosen, chosen] = [
      await endedJob(workspace, 'completed'),
      await endedJob(workspace, 'completed', 'ada'),
    ];
    const span = await spanOnceSent(chosen);
    expect(span?.attributes).not.toHaveProperty(['genway.cost.usd']);
    expect(collector.received.map(({ headers }) => headers['x-key'])).toEqual([SECRET]);
    // The deliverer leaves the other row of the outbox without an address, as soon as it has judged it.
    await until(
      async () => traceOf(unchosen),
      (row) => row?.status === 'no_address',
    );
    expect(spanOf(unchosen)).toEqual([]);
  });
});
