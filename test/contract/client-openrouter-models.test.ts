import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { OpenRouter } from '@openrouter/sdk';
import { hashKey } from '../../functions/keys/key-format.ts';
import { findOffer } from '../../functions/videos/catalogue/catalogue.ts';
import { runCommand } from '../../local/system/run-command.ts';
import { pythonPackages } from '../python/packages.ts';
import { call, newWorkspace, stage } from './stage.ts';
import { endedVideo, until } from './until.ts';

const MINUTE = 60_000;
const MODEL = 'sandbox/clip-1';
const { models, endpoints, providers, analytics } = new OpenRouter({
  serverURL: stage.baseUrl,
  apiKey: stage.managementKey,
  retryConfig: { strategy: 'none' },
});

/** A workspace with a job that has ended and named a user. */
async function someActivity() {
  const workspace = await newWorkspace();
  const user = `user-${crypto.randomUUID()}`;
  const sandbox = { outcome: 'completed', latency_s: 0 };
  const json = { model: MODEL, prompt: 'A fox', duration: 2, user, provider: { options: { sandbox } } };
  const { body } = await call('POST', '/videos', { key: workspace.key, json });
  await endedVideo(body.id, workspace.key);
  const asked = { api_key_hash: hashKey(workspace.key), user_id: user, workspace_id: workspace.id };
  await until(
    () => call('GET', `/activity?${new URLSearchParams(asked)}`, { key: stage.managementKey }),
    (answer) => answer.body.data.length === 1,
  );
  return asked;
}

test('@openrouter/sdk lists models, their endpoints and providers, page by page', async () => {
  const { data } = await models.count();
  const ids: string[] = [];
  for await (const { result } of await models.list({ limit: 1 })) {
    expect(result.totalCount).toBe(data.count);
    ids.push(...result.data.map(({ id }) => id));
  }
  expect(ids).toContain(MODEL);
  expect(new Set(ids).size).toBe(data.count);
  expect((await models.count({ outputModalities: 'text' })).data.count).toBe(0);
  const newest = await models.list({ sort: 'newest', q: 'clip', outputModalities: 'video' });
  for await (const { result } of newest) {
    expect(result.data[0]).toMatchObject({
      id: MODEL,
      contextLength: null,
      topProvider: { isModerated: false },
    });
  }
  const of = await endpoints.list({ author: 'sandbox', slug: 'clip-1' });
  expect(of.data).toMatchObject({
    id: MODEL,
    endpoints: [{ tag: MODEL, providerName: 'sandbox', status: 0 }],
  });
  await expect(endpoints.list({ author: 'sandbox', slug: 'none' })).rejects.toMatchObject({
    statusCode: 404,
  });
  expect((await providers.list()).data).toContainEqual(
    expect.objectContaining({ name: 'sandbox', slug: 'sandbox', privacyPolicyUrl: null }),
  );
});

test('@openrouter/sdk reads one model and those that a key may use', async () => {
  expect((await models.get({ author: 'sandbox', slug: 'clip-1' })).data).toMatchObject({ id: MODEL });
  await expect(models.get({ author: 'sandbox', slug: 'none' })).rejects.toMatchObject({ statusCode: 404 });

  const workspace = await newWorkspace();
  const own = async () => {
    const ids: string[] = [];
    for await (const { result } of await models.listForUser({ bearer: workspace.key }, { limit: 1 }))
      ids.push(...result.data.map(({ id }) => id));
    return ids;
  };
  expect(await own()).toHaveLength((await models.count()).data.count);
  const { body } = await call('GET', `/workspaces/${workspace.id}`, { key: stage.managementKey });
  const json = { allowed_models: [MODEL] };
  const path = `/guardrails/${body.data.default_guardrail_id}`;
  expect((await call('PATCH', path, { key: stage.managementKey, json })).status).toBe(200);
  expect(await own()).toEqual([MODEL]);
});

test('pages are in one order, and the link to the next is one of them', async () => {
  const { body } = await call('GET', '/models?limit=1&sort=newest', {});
  const next = await call('GET', body.links.next.replace('/api/v1', ''), {});
  expect(body.links.next).toBe('/api/v1/models?limit=1&sort=newest&offset=1');
  expect([next.status, next.body.data.length]).toEqual([200, 1]);
  expect(next.body.data[0].id).not.toBe(body.data[0].id);
  expect((await call('GET', '/models?offset=1000', {})).body).toMatchObject({
    data: [],
    links: { next: null },
  });
});

test('@openrouter/sdk reads activity of a key, a user and a workspace', async () => {
  const { api_key_hash: apiKeyHash, user_id: userId, workspace_id: workspaceId } = await someActivity();
  const line = { model: MODEL, endpointId: MODEL, providerName: 'sandbox', requests: 1, usage: 0.02 };
  const { data } = await analytics.getUserActivity({ apiKeyHash, userId });
  expect(data).toEqual([expect.objectContaining({ ...line, byokUsageInference: 0, promptTokens: 0 })]);
  const divided = await analytics.getUserActivity({ workspaceId, groupBy: 'workspace' });
  expect(divided.data).toEqual([expect.objectContaining({ ...line, workspaceId })]);
  const none = await analytics.getUserActivity({ apiKeyHash, userId: 'nobody' });
  expect(none.data).toEqual([]);
});

test('@openrouter/sdk asks analytics what there is, and for figures of it', async () => {
  const { api_key_hash: hash, user_id: user, workspace_id: workspace } = await someActivity();
  const { data: offered } = await analytics.getAnalyticsMeta();
  expect(offered.metrics.map(({ name }) => name)).toContain('request_count');
  const metrics = offered.metrics.map(({ name }) => name);
  const dimensions = offered.dimensions.map(({ name }) => name);
  const filters = [{ field: 'user', operator: 'eq', value: user }];
  const requestBody = { metrics, dimensions, filters, granularity: 'day' };
  const { data } = await analytics.queryAnalytics({ requestBody });
  expect(data.metadata).toMatchObject({ rowCount: 1, truncated: false });
  // Its type of a row has no fields, so it drops them all.
  expect(data.data).toEqual([{}]);
  const json = requestBody;
  const { body } = await call('POST', '/analytics/query', { key: stage.managementKey, json });
  expect(body.data.data).toEqual([
    {
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      model: MODEL,
      provider: 'sandbox',
      workspace,
      api_key_id: hash,
      user,
      request_count: 1,
      completed_count: 1,
      success_rate: 1,
      video_seconds: 2,
      cost: 0.02,
      byok_cost: 0,
    },
  ]);
});

test.each([
  [{ metrics: ['tokens_prompt'] }, 'metrics.0', /must be one of request_count/],
  [{ metrics: ['cost'], dimensions: ['app'] }, 'dimensions.0', /must be one of model/],
  [{ metrics: ['cost'], granularity: 'hour' }, 'granularity', /must be one of day/],
  [{ metrics: ['cost'], order_by: { field: 'date', direction: 'asc' } }, 'order_by.field', /one of cost/],
])('a query for %j is refused with what there is', async (json, path, says) => {
  const { status, body } = await call('POST', '/analytics/query', { key: stage.managementKey, json });
  expect([status, body.error.metadata.path]).toEqual([400, path]);
  expect(body.error.message).toMatch(says);
});

const PYTHON = `
import json, os, sys
from openrouter import OpenRouter, errors

asked = json.loads(sys.argv[1])
with OpenRouter(server_url=os.environ["GENWAY_URL"], api_key=os.environ["GENWAY_API_KEY"]) as client:
    page, ids = client.models.list(limit=1), []
    while page is not None:
        ids += [each.id for each in page.result.data]
        page = page.next()
    try:
        client.endpoints.list(author="sandbox", slug="none")
        missing = None
    except errors.NotFoundResponseError as error:
        missing = error.status_code
    of = client.endpoints.list(author="sandbox", slug="clip-1").data
    lines = client.analytics.get_user_activity(request={**asked, "group_by": "workspace"}).data
    print(json.dumps({
        "all": len(set(ids)) == client.models.count().data.count,
        "endpoints": [each.tag for each in of.endpoints],
        "missing": missing,
        "providers": [each.slug for each in client.providers.list().data],
        "activity": [[each.model, each.requests, each.usage, each.workspace_id] for each in lines],
    }))
`;

test(
  'the Python client openrouter reads the same',
  async () => {
    const asked = await someActivity();
    const env = { ...process.env, GENWAY_URL: stage.baseUrl, GENWAY_API_KEY: stage.managementKey };
    const python = join(await pythonPackages(), 'python');
    const { code, output } = await runCommand(python, ['-c', PYTHON, JSON.stringify(asked)], { env });
    expect({ code, output }).toEqual({ code: 0, output });
    expect(JSON.parse(output)).toEqual({
      all: true,
      endpoints: [MODEL],
      missing: 404,
      providers: expect.arrayContaining(['sandbox']),
      activity: [[MODEL, 1, 0.02, asked.workspace_id]],
    });
  },
  12 * MINUTE,
);

// Last, because the tests above count the models.
test('@openrouter/sdk lists the endpoints whose provider key retains nothing', async () => {
  const key = stage.managementKey;
  const { id: _, continuations: __, ...sandbox } = findOffer(MODEL)!;
  const row = { ...sandbox, provider: 'acme', model: 'acme/zdr' };
  expect((await call('PUT', '/endpoints/acme/zdr', { key, json: row })).status).toBe(200);
  const workspace = await newWorkspace();
  const { endpoints } = new OpenRouter({ serverURL: stage.baseUrl, apiKey: workspace.key });
  const listed = async () => (await endpoints.listZdrEndpoints()).data.map(({ tag }) => tag);
  const json = { provider: 'acme', key: 'sk-zdr-zdr', workspace_id: workspace.id };
  const stored = await call('POST', '/byok', { key, json });
  await until(
    () => call('GET', '/models?providers=acme'),
    ({ body }) => body.data.length === 1,
  );
  expect(await listed()).toEqual([]);
  await call('PATCH', `/byok/${stored.body.data.id}`, { key, json: { declared_zdr: true } });
  await until(listed, (tags) => tags.length === 1);
  expect(await listed()).toEqual(['acme/zdr']);
  const stranger = await newWorkspace();
  expect((await call('GET', '/endpoints/zdr', { key: stranger.key })).body.data).toEqual([]);
  expect((await call('DELETE', '/endpoints/acme/zdr', { key })).status).toBe(200);
});
