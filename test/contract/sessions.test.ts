import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { hashKey } from '../../functions/keys/key-format.ts';
import { SessionStore } from '../../functions/keys/session-store.ts';
import { issueSession } from '../../functions/keys/sessions.ts';
import { dynamo, tableNamed } from './aws.ts';
import { call, form, newWorkspace, stage } from './stage.ts';
import { until } from './until.ts';

const admin = stage.managementKey;
const begin = (key: string) => call('POST', '/sessions', { key });
const tokenOf = async (key: string): Promise<string> => (await begin(key)).body.token;

async function aKey(fields: object): Promise<{ key: string; hash: string }> {
  const { body } = await call('POST', '/keys', { key: admin, json: { name: 'Console', ...fields } });
  return { key: body.key, hash: body.data.hash };
}

let workspace: { id: string; key: string };
beforeAll(async () => {
  workspace = await newWorkspace();
});

test('a key is exchanged for a token that does what the key does', async () => {
  const { status, body } = await begin(workspace.key);
  expect(status).toBe(201);
  const { token, data } = body;
  expect(data).toEqual({ hash: hashKey(token), expires_at: expect.any(String), ends_at: expect.any(String) });
  const { body: own } = await call('GET', '/key', { key: token });
  expect(own.data.hash).toBe(hashKey(workspace.key));
  const upload = await call('POST', '/files', { key: token, body: form('text') });
  expect(upload.status).toBe(200);
  const submit = await call('POST', '/videos', {
    key: token,
    json: { model: 'sandbox/clip-1', prompt: 'A fox', duration: 1 },
  });
  expect(submit.status).toBe(202);
  // A file provider’s key is opened by another function, which accepts the session too.
  const provided = await call('GET', '/files?provider=openai', { key: token });
  expect(provided).toEqual({
    ...(await call('GET', '/files?provider=openai', { key: workspace.key })),
    headers: expect.anything(),
  });
});

test('a person sees the limits that their claims set, not those of their key', async () => {
  const { id: workspace_id } = await newWorkspace();
  const json = { workspace_id, name: 'Theirs', limit_usd: 1 };
  const { data: guardrail } = (await call('POST', '/guardrails', { key: admin, json })).body;
  const { hash: keyHash } = await aKey({ management: true, workspace_id, guardrail_id: guardrail.id });
  const scope = { workspaces: [workspace.id], operations: ['read' as const], networks: null };
  const person = { subject: 'ada', scope };
  const { token, stored } = issueSession({ keyHash, endsAt: null, person }, new Date(), randomBytes);
  await new SessionStore(dynamo, await tableNamed('Sessions')).insert(stored);
  const { body } = await call('GET', '/key', { key: token });
  expect(body.data).toMatchObject({ hash: keyHash, workspace_id: workspace.id, scope, guardrail_id: null });
  expect((await call('GET', '/credits', { key: token })).status).toBe(403);
});

test('a session has the workspaces, the operations and the networks of its key', async () => {
  const foreign = await newWorkspace();
  const scope = { workspaces: [workspace.id], operations: ['read', 'keys'] };
  const token = await tokenOf((await aKey({ management: true, scope })).key);
  const statuses = [
    await call('GET', `/workspaces/${workspace.id}`, { key: token }),
    await call('GET', `/workspaces/${foreign.id}`, { key: token }),
    await call('PUT', `/workspaces/${workspace.id}/budgets/daily`, { key: token, json: { limit_usd: 1 } }),
    await call('POST', '/keys', {
      key: token,
      json: { name: 'More', management: true, scope: { operations: ['money'] } },
    }),
  ];
  expect(statuses.map(({ status }) => status)).toEqual([200, 404, 403, 403]);
  const elsewhere = await aKey({ management: true, scope: { networks: ['198.51.100.0/24'] } });
  expect((await begin(elsewhere.key)).status).toBe(403);
});

describe('a session that its owner has ended', () => {
  test('is answered 401 from the next request on, by functions that have just served it, and like no key at all', async () => {
    const token = await tokenOf(admin);
    const asks = ['/key', '/files', '/videos', '/keys', '/credits'].map(
      (path) => () => call('GET', path, { key: token }),
    );
    for (const ask of asks) expect((await ask()).status).toBe(200);
    expect((await call('DELETE', '/sessions/current', { key: token })).body).toEqual({ deleted: true });
    for (const ask of asks) {
      const { status, body } = await ask();
      expect(status).toBe(401);
      const unknown = await call('GET', '/key', {
        key: `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`,
      });
      expect(body).toEqual(unknown.body);
    }
    for (const again of ['POST /sessions/current/renew', 'DELETE /sessions/current', 'POST /sessions']) {
      const [method = '', path = ''] = again.split(' ');
      expect((await call(method, path, { key: token })).status).toBe(401);
    }
  });
});

test.each([
  ['disabled', (hash: string) => call('PATCH', `/keys/${hash}`, { key: admin, json: { disabled: true } })],
  ['deleted', (hash: string) => call('DELETE', `/keys/${hash}`, { key: admin })],
])('a session ends at once when its key is %s', async (_, end) => {
  const { key, hash } = await aKey({ workspace_id: workspace.id });
  const token = await tokenOf(key);
  for (const credential of [key, token])
    expect((await call('GET', '/key', { key: credential })).status).toBe(200);
  await end(hash);
  expect((await call('GET', '/key', { key: token })).status).toBe(401);
});

test('a renewal extends a session, and never makes another', async () => {
  const { body } = await begin(workspace.key);
  const renewed = await call('POST', '/sessions/current/renew', { key: body.token });
  expect(renewed.body.data).toMatchObject({ hash: body.data.hash, ends_at: body.data.ends_at });
  expect(renewed.body.data.expires_at > body.data.expires_at).toBe(true);
  expect((await begin(body.token)).status).toBe(403);
});

test('the audit trail and the log name the key and the session', async () => {
  const { key, hash: key_hash } = await aKey({ management: true });
  const token = await tokenOf(key);
  const session_hash = hashKey(token);
  await call('PATCH', `/workspaces/${workspace.id}`, { key: token, json: { description: 'In a session' } });
  await call('DELETE', '/sessions/current', { key: token });
  const { body } = await call('GET', '/audit?limit=100', { key: admin });
  const own = body.data.filter((entry: { key_hash: string }) => entry.key_hash === key_hash);
  const seen = own.map((entry: Record<string, unknown>) => [entry.action, entry.session_hash]);
  expect(seen).toEqual([
    ['end-session', session_hash],
    ['update-workspace', session_hash],
    ['create-session', null],
  ]);
  expect(own.at(-1).changes).toContainEqual({ field: 'hash', from: null, to: `"${session_hash}"` });
  const lines = await until(
    async () =>
      readFileSync(stage.logFile, 'utf8')
        .split('\n')
        .filter((line) => line.includes(session_hash)),
    (found) => found.some((line) => line.includes('request answered')),
  );
  expect(lines.join('\n')).not.toContain(token.slice(9));
});
