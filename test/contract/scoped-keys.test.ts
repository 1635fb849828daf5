import { beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../functions/endpoints/definitions.ts';
import type { KeyedRoute, Route } from '../../functions/http/routes.ts';
import { OPERATION_GROUPS } from '../../functions/http/scope.ts';
import { type Kind, type Row, rows, things, type Workspace } from './access-rows.ts';
import { call, form, newWorkspace, stage } from './stage.ts';
import { endedVideo } from './until.ts';

const admin = stage.managementKey;
const isKeyed = (route: Route): route is KeyedRoute => route.access !== 'public';
const closed = Object.values<Route>(routes)
  .filter(isKeyed)
  .map((route) => ({ id: route.id, route, row: rows[route.id as keyof typeof rows] }));

let own: Workspace;
let foreign: Workspace;
/** Something of each kind in the foreign workspace. */
let theirs: Readonly<Record<Kind, string>>;

async function make(fields: object, key = admin) {
  const { status, body } = await call('POST', '/keys', { key, json: { name: 'Scoped', ...fields } });
  return { status, body, key: body.key as string, hash: body.data?.hash as string };
}
const limited = async (scope: object, fields: object = {}) =>
  (await make({ management: true, scope, ...fields })).key;

function ask({ method, path }: Route, row: Row, key: string, id: string, query: Record<string, string> = {}) {
  const concrete = path.replace(/\{(\w+)\}/g, (_, name) => row.others?.[name] ?? id);
  return call(method, `${concrete}?${new URLSearchParams({ ...row.query, ...query })}`, {
    ...row.send?.(),
    key,
  });
}

beforeAll(async () => {
  [own, foreign] = await Promise.all([newWorkspace(), newWorkspace()]);
  const kinds = Object.keys(things) as Kind[];
  const made = kinds.map(async (kind) => [kind, await things[kind].make(foreign)] as const);
  theirs = Object.fromEntries(await Promise.all(made)) as Record<Kind, string>;
});

const itsId = ({ names }: Row) => (names === undefined ? 'x' : theirs[names]);

describe('a management key', () => {
  test.each(OPERATION_GROUPS)('without the operations `%s` may call none of them', async (group) => {
    const key = await limited({ operations: OPERATION_GROUPS.filter((each) => each !== group) });
    for (const { id, route, row } of closed.filter(({ route }) => route.group === group)) {
      expect([id, (await ask(route, row, key, itsId(row))).status]).toEqual([id, 403]);
    }
  });

  test('of another network may call nothing', async () => {
    const key = await limited({ networks: ['198.51.100.0/24', '2001:db8::/32'] });
    for (const { id, route, row } of closed) {
      expect([id, (await ask(route, row, key, itsId(row))).status]).toEqual([id, 403]);
    }
  });

  test.each([
    { 'x-forwarded-for': '198.51.100.7' },
    { 'x-genway-viewer-address': '198.51.100.7' },
    { 'X-Genway-Viewer-Address': '198.51.100.7', 'x-real-ip': '198.51.100.7', forwarded: 'for=198.51.100.7' },
  ])('cannot pretend to be in its network with %j', async (headers) => {
    const key = await limited({ networks: ['198.51.100.0/24'] });
    expect((await call('GET', '/key', { key, headers })).status).toBe(403);
    const upload = await call('POST', '/files', { key, headers, body: form('text') });
    expect(upload.status).toBe(403);
  });

  test('of this network may be used', async () => {
    const key = await limited({ networks: ['127.0.0.0/8', '::1'] });
    expect((await call('GET', '/key', { key })).status).toBe(200);
  });
});

describe('a management key of one workspace', () => {
  let key: string;
  beforeAll(async () => {
    key = await limited({ workspaces: [own.id] });
  });

  /** What must not be found, may not be done, or is no such workspace. */
  const REFUSED = expect.stringMatching(/^(400|403|404)$/);

  test.each(closed.filter(({ row }) => row.names !== undefined))(
    'finds nothing of another by $id',
    async ({ route, row }) => {
      const { status } = await ask(route, row, key, itsId(row));
      expect(status).toBe(404);
    },
  );

  test.each(closed.filter(({ row }) => row.scoped))('may not name another to $id', async ({ route, row }) => {
    const { status } = await ask(route, row, key, itsId(row), { workspace_id: foreign.id });
    expect(String(status)).toEqual(REFUSED);
  });

  test.each(closed.filter(({ route }) => route.concernsAll))('may not $id', async ({ route, row }) => {
    expect((await ask(route, row, key, 'x')).status).toBe(403);
  });

  test.each([
    ['/keys', { name: 'x' }],
    ['/keys', { name: 'x', management: true }],
    ['/keys', { name: 'x', management: true, scope: { operations: ['read'] } }],
    ['/byok', { provider: 'fal', key: 'fal-scoped-scoped' }],
    ['/guardrails', { name: 'x' }],
  ])('makes nothing in another by POST %s %j', async (path, fields) => {
    for (const workspace_id of [foreign.id, foreign.id.toUpperCase(), 'default']) {
      const { status } = await call('POST', path, { key, json: { ...fields, workspace_id } });
      expect(String(status)).toEqual(REFUSED);
    }
  });

  test('keeps the workspace that its slug named, whoever has that slug later', async () => {
    const { body } = await call('GET', `/workspaces/${own.id}`, { key });
    const scope = { workspaces: [body.data.slug] };
    for (const maker of [admin, key]) {
      const made = await call('POST', '/keys', { key: maker, json: { name: 'x', management: true, scope } });
      expect(made.body.data.scope.workspaces).toEqual([own.id]);
    }
  });

  test('lists its own things alone', async () => {
    const workspaces = (await call('GET', '/workspaces', { key })).body;
    expect(workspaces).toMatchObject({ total_count: 1, data: [{ id: own.id }] });
    const wider = await make({ management: true, scope: { workspaces: [own.id, foreign.id] } });
    const keys = (await call('GET', '/keys', { key })).body.data;
    expect(keys.map(({ hash }: { hash: string }) => hash)).not.toContain(wider.hash);
    expect(new Set(keys.map(({ workspace_id }: { workspace_id: string }) => workspace_id))).toEqual(
      new Set([own.id]),
    );
    for (const path of ['/keys', '/byok', '/guardrails', '/files', '/videos']) {
      const { status } = await call('GET', `${path}?workspace_id=${foreign.id}`, { key });
      expect([path, String(status)]).toEqual([path, REFUSED]);
    }
  });

  test('gives no key of another a guardrail, and lists none of its assignments', async () => {
    const json = { key_hashes: [theirs.key] };
    const path = `/guardrails/${theirs.guardrail}/assignments/keys`;
    expect((await call('POST', path, { key: admin, json })).status).toBe(200);
    const { body } = await call('GET', '/guardrails/assignments/keys', { key });
    expect(body).toEqual({ data: [], total_count: 0 });
    const ownRail = (await call('GET', `/guardrails?workspace_id=${own.id}`, { key })).body.data[0].id;
    for (const [id, end] of [
      [theirs.guardrail, ''],
      [theirs.guardrail, '/remove'],
      [ownRail, ''],
      [ownRail, '/remove'],
    ]) {
      expect((await call('POST', `/guardrails/${id}/assignments/keys${end}`, { key, json })).status).toBe(
        404,
      );
    }
    const { body: after } = await call('GET', `/keys/${theirs.key}`, { key: admin });
    expect(after.data.guardrail_id).toBe(theirs.guardrail);
    await call('POST', `${path}/remove`, { key: admin, json });
  });

  test('moves no key into another, or out of it', async () => {
    const mine = await make({ workspace_id: own.id });
    for (const [hash, workspace_id] of [
      [mine.hash, foreign.id],
      [mine.hash, 'default'],
      [theirs.key, own.id],
    ]) {
      const { status } = await call('PATCH', `/keys/${hash}`, { key, json: { workspace_id } });
      expect(String(status)).toEqual(REFUSED);
    }
    expect((await call('GET', `/keys/${mine.hash}`, { key: admin })).body.data.workspace_id).toBe(own.id);
    expect((await call('GET', `/keys/${theirs.key}`, { key: admin })).body.data.workspace_id).toBe(
      foreign.id,
    );
  });

  test('acts in its own', async () => {
    for (const { route, row } of closed.filter(({ row }) => row.names === 'workspace')) {
      expect((await ask(route, row, key, own.id)).status).toBe(row.passes);
    }
    expect((await call('POST', '/files', { key, body: form('text') })).status).toBe(200);
  });
});

describe('a limited key cannot widen', () => {
  const scope = { operations: ['read', 'keys', 'generate'] };
  let maker: Awaited<ReturnType<typeof make>>;
  beforeAll(async () => {
    maker = await make({ management: true, scope, expires_at: '2099-01-01T00:00:00Z' });
  });

  test.each([
    { expires_at: null },
    { expires_at: '2099-01-01T00:00:01Z' },
    { scope: { operations: null } },
    { rate_limits: { admin: 60_000 } },
    { name: 'x' },
  ])('itself by a change to %j', async (json) => {
    const { status } = await call('PATCH', `/keys/${maker.hash}`, { key: maker.key, json });
    expect([400, 403]).toContain(status);
  });

  test('another key, whoever asks, because a scope never changes', async () => {
    const json = { scope: { operations: ['money'] } };
    const { status } = await call('PATCH', `/keys/${maker.hash}`, { key: admin, json });
    expect(status).toBe(400);
    const { body } = await call('GET', `/keys/${maker.hash}`, { key: admin });
    expect(body.data.scope).toEqual({ workspaces: null, networks: null, ...scope });
  });

  test.each([
    { management: true },
    { management: true, expires_at: null },
    { management: true, expires_at: '2099-06-01T00:00:00Z' },
    { management: true, expires_at: '2098-01-01T00:00:00Z', scope: { operations: ['money'] } },
    { expires_at: '2098-01-01T00:00:00Z', scope: { operations: ['content'] } },
  ])('by a key that it makes with %j', async (fields) => {
    expect((await make(fields, maker.key)).status).toBe(403);
  });

  test('by a key that it makes without a scope', async () => {
    const expires_at = '2098-01-01T00:00:00Z';
    const child = await make({ management: true, expires_at }, maker.key);
    expect(child.body.data.scope.operations).toEqual(scope.operations.toSorted(byGroup));
    const apiKey = await make({ expires_at }, maker.key);
    expect(apiKey.body.data.scope.operations).toEqual(['read', 'generate']);
  });

  test('by another key that may do more', async () => {
    const other = await make({});
    for (const [method, json] of [['PATCH', { disabled: true }] as const, ['DELETE', undefined] as const]) {
      expect((await call(method, `/keys/${other.hash}`, { key: maker.key, json })).status).toBe(403);
    }
    expect((await call('GET', '/key', { key: other.key })).status).toBe(200);
  });
});

const groups: readonly string[] = OPERATION_GROUPS;
const byGroup = (a: string, b: string) => groups.indexOf(a) - groups.indexOf(b);

describe('an API key', () => {
  test('without `content` gets no link to a result, and no prompt', async () => {
    const json = { model: 'sandbox/clip-1', prompt: 'A fox', duration: 1 };
    const path = `/videos/${(await call('POST', '/videos', { key: own.key, json })).body.id}`;
    await endedVideo(path.slice('/videos/'.length), own.key);
    expect((await call('GET', path, { key: own.key })).body.urls).toHaveLength(1);
    const { key } = await make({ workspace_id: own.id, scope: { operations: ['read', 'generate'] } });
    const listed = (await call('GET', '/videos', { key })).body.data;
    const { body: one } = await call('GET', path, { key });
    expect(listed).toContainEqual(one);
    for (const each of [...listed, one]) expect(each).not.toHaveProperty('urls');
    const headers = { 'user-agent': 'OpenAI/JS 6.0.0' };
    const prompts = [own.key, key, admin].map(async (by) => {
      const { body } = await call('GET', path, { key: by, headers });
      return body.prompt ?? null;
    });
    // What a management key reads is recorded, and this is not.
    expect(await Promise.all(prompts)).toEqual(['A fox', null, null]);
    const files = await call('POST', '/files', { key, body: form('text') });
    expect((await call('GET', `/files/${files.body.id}/content`, { key })).status).toBe(403);
  });

  test('without `generate` gets no answer of another key again', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const json = { model: 'sandbox/clip-1', prompt: 'A fox', duration: 1 };
    expect((await call('POST', '/videos', { key: own.key, json, headers })).status).toBe(202);
    const { key } = await make({ workspace_id: own.id, scope: { operations: ['read', 'content'] } });
    expect((await call('POST', '/videos', { key, json, headers })).status).toBe(403);
    const dialect = { ...headers, 'user-agent': 'OpenAI/JS 6.0.0' };
    expect((await call('POST', '/videos', { key, json, headers: dialect })).status).toBe(403);
  });

  test('is limited at the upload server too', async () => {
    const { key } = await make({ workspace_id: own.id, scope: { operations: ['read'] } });
    const body = form('text');
    const answer = await fetch(`${stage.origins.uploads}/api/v1/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'x-genway-edge': stage.edgeSecret },
      body,
    });
    expect(answer.status).toBe(403);
    expect(JSON.stringify(await answer.json())).toContain('`generate`');
  });
});
