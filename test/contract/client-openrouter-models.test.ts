import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { OpenRouter } from '@openrouter/sdk';
import { hashKey } from '../../functions/keys/key-format.ts';
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

test(
  '@openrouter/sdk reads activity of a key, a user and a workspace',
  async () => {
    const { api_key_hash: apiKeyHash, user_id: userId, workspace_id: workspaceId } = await someActivity();
    const line = { model: MODEL, endpointId: MODEL, providerName: 'sandbox', requests: 1, usage: 0.02 };
    const { data } = await analytics.getUserActivity({ apiKeyHash, userId });
    expect(data).toEqual([expect.objectContaining({ ...line, byokUsageInference: 0, promptTokens: 0 })]);
    const divided = await analytics.getUserActivity({ workspaceId, groupBy: 'workspace' });
    expect(divided.data).toEqual([expect.objectContaining({ ...line, workspaceId })]);
    const none = await analytics.getUserActivity({ apiKeyHash, userId: 'nobody' });
    expect(none.data).toEqual([]);
  },
  MINUTE,
);

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
