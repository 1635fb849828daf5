import { beforeAll, describe, expect, test } from '@jest/globals';
import { call, form, newWorkspace, stage } from './stage.ts';
import { until } from './until.ts';

let workspace: Awaited<ReturnType<typeof newWorkspace>>;
const ids: string[] = [];

beforeAll(async () => {
  workspace = await newWorkspace();
  for (const name of ['a', 'b', 'c']) {
    const { body } = await call('POST', '/files', { key: workspace.key, body: form(name, `${name}.txt`) });
    ids.push(body.id);
  }
});

const get = (path: string, headers = {}) => call('GET', path, { key: workspace.key, headers });
const named = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);
const storageIn = ({ headers }: { headers: Headers }) =>
  ['x-storage-used', 'x-storage-limit'].map((name) => headers.get(name));
const asProviderA = { 'user-agent': 'OpenAI/JS 6.49.0' };
const asProviderB = { 'anthropic-version': '2023-06-01' };

describe('a list of files', () => {
  test('is oldest first, with a cursor from each page to the next', async () => {
    const first = await get('/files?limit=2');
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ _shape: 'native', first_id: ids[0], last_id: ids[1], has_more: true });
    expect(first.body.cursor).toBe(ids[1]);
    expect(storageIn(first)).toEqual(['3', '10737418240']);
    const second = await get(`/files?limit=2&cursor=${first.body.cursor}`);
    expect(second.body).toMatchObject({ has_more: false, cursor: null });
    expect([...named(first.body), ...named(second.body)]).toEqual(ids);
    expect(storageIn(second)).toEqual([null, null]);
  });

  test('speaks the dialects of two providers', async () => {
    const a = await get(`/files?limit=1&after=${ids[0]}`, asProviderA);
    expect(a.body).toMatchObject({ _shape: 'provider_a', object: 'list', has_more: true, last_id: ids[1] });
    expect(a.body.data[0]).toMatchObject({
      _shape: 'provider_a',
      object: 'file',
      status: 'processed',
      bytes: 1,
    });
    expect(Number.isInteger(a.body.data[0].created_at)).toBe(true);
    const b = await get(`/files?limit=1&page=${ids[0]}`, asProviderB);
    expect(b.body).toMatchObject({ _shape: 'provider_b', next_page: ids[1] });
    const last = await get(`/files?after_id=${ids[1]}`, asProviderB);
    expect(last.body).toMatchObject({ next_page: null, has_more: false, last_id: ids[2] });
  });

  test('may be newest first', async () => {
    const first = await get('/files?order=desc&limit=2');
    expect([named(first.body), first.body.has_more]).toEqual([ids.toReversed().slice(0, 2), true]);
    const second = await get(`/files?order=desc&limit=2&cursor=${first.body.cursor}`);
    expect([named(second.body), second.body.has_more]).toEqual([[ids[0]], false]);
  });

  test('may name its files; it has no others, and none of another workspace', async () => {
    const foreign = await newWorkspace();
    const { body } = await call('POST', '/files', { key: foreign.key, body: form('foreign') });
    const query = [ids[2], body.id, ids[0], 'file_unknown'].map((id) => `ids%5B%5D=${id}`).join('&');
    const list = await get(`/files?${query}`, asProviderB);
    expect(list.body).toMatchObject({ next_page: null, has_more: false });
    expect(named(list.body)).toEqual([ids[0], ids[2]]);
    expect(named((await get(`/files?${query}&order=desc`)).body)).toEqual([ids[2], ids[0]]);
    expect(named((await get(`/files?${query}&purpose=batch`)).body)).toEqual([]);
  });

  test('of a scope is empty, because files here have none', async () => {
    const { body, headers } = await get('/files?scope_id=session-1', asProviderB);
    expect([named(body), headers.get('x-genway-warning')]).toEqual([
      [],
      'scope_id matches no file: files that Genway stores have no scope',
    ]);
  });

  test('that is empty has no ids', async () => {
    const { key } = await newWorkspace();
    const { body, headers } = await call('GET', '/files', { key });
    expect(storageIn({ headers })).toEqual(['0', '10737418240']);
    expect(body).toEqual({
      _shape: 'native',
      data: [],
      first_id: null,
      last_id: null,
      has_more: false,
      cursor: null,
    });
  });

  test.each([
    'limit=0',
    'limit=1001',
    'order=up',
    `ids[]=gw_file_${'0'.repeat(26)}&limit=1`,
    'before_id=x',
    'cursor=x',
    `cursor=gw_file_${'0'.repeat(26)}&after=gw_file_${'0'.repeat(26)}`,
    'workspace_id=x',
    'provider=other',
  ])('with %s is refused', async (query) => {
    expect((await get(`/files?${query}`)).status).toBe(400);
  });
});

describe('a workspace that a request names', () => {
  test('is the key’s own, or any that exists for a management key', async () => {
    expect(named((await get(`/files?workspace_id=${workspace.id}`)).body)).toEqual(ids);
    const managed = await call('GET', `/files?workspace_id=${workspace.id}`, { key: stage.managementKey });
    expect(named(managed.body)).toEqual(ids);
  });

  test('gets the same response if it belongs to others or does not exist', async () => {
    const foreign = await newWorkspace();
    const answers = await Promise.all([
      get(`/files?workspace_id=${foreign.id}`),
      get('/files?workspace_id=c0ffee00-0000-4000-8000-000000000000'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    expect(answers[0].body).toEqual(answers[1].body);
    const unknown = '/files?workspace_id=c0ffee00-0000-4000-8000-000000000000';
    expect((await call('GET', unknown, { key: stage.managementKey })).status).toBe(403);
  });
});

describe('a file', () => {
  const upload = async (content: string, key: string) =>
    (await call('POST', '/files', { key, body: form(content) })).body;

  test('is deleted once, with its content', async () => {
    const { key } = workspace;
    const { id } = await upload('gone soon', key);
    const link = await get(`/files/${id}/content?redirect=false`);
    expect(link.status).toBe(200);
    expect(Date.parse(link.body.expires_at)).toBeGreaterThan(Date.now());
    expect((await fetch(link.body.url)).status).toBe(200);

    const deleted = await call('DELETE', `/files/${id}`, { key });
    expect(deleted.status).toBe(200);
    expect(deleted.body).toEqual({ _shape: 'native', id, type: 'file_deleted' });
    expect((await call('DELETE', `/files/${id}`, { key })).status).toBe(404);
    expect((await get(`/files/${id}`)).status).toBe(404);
    expect((await fetch(link.body.url)).status).toBe(404);
  });

  test('is deleted with the response of each dialect', async () => {
    const { key } = workspace;
    const a = await upload('a', key);
    const deletedA = await call('DELETE', `/files/${a.id}`, { key, headers: asProviderA });
    expect(deletedA.body).toEqual({ _shape: 'provider_a', id: a.id, object: 'file', deleted: true });
    const b = await upload('b', key);
    const deletedB = await call('DELETE', `/files/${b.id}`, { key, headers: asProviderB });
    expect(deletedB.body).toEqual({ _shape: 'provider_b', id: b.id, type: 'file_deleted' });
  });

  test('can be uploaded at the same moment as many others', async () => {
    const many = await Promise.all(Array.from({ length: 8 }, (_, i) => upload(`file ${i}`, workspace.key)));
    expect(new Set(many.map(({ id }) => id)).size).toBe(8);
  });
});

describe('a file that expires', () => {
  test('says when, and is not found from then on', async () => {
    const { key } = await newWorkspace();
    const body = form('ends soon');
    body.append('expires_after[anchor]', 'created_at');
    body.append('expires_after[seconds]', '2');
    const { status, body: file } = await call('POST', '/files', { key, body });
    expect(status).toBe(200);
    expect(Date.parse(file.expires_at) - Date.parse(file.created_at)).toBe(2000);
    const path = `/files/${file.id}`;
    const openai = await call('GET', path, { key, headers: { 'user-agent': 'OpenAI/JS 1' } });
    expect(openai.body.expires_at).toBe(Math.floor(Date.parse(file.expires_at) / 1000));
    await until(
      () => call('GET', path, { key }),
      (answer) => answer.status === 404,
    );
    expect((await call('GET', '/files', { key })).body.data).toEqual([]);
    expect((await call('GET', `${path}/content`, { key })).status).toBe(404);
  });

  test('is refused with an impossible expiry', async () => {
    const body = form('text');
    body.append('expires_in_seconds', 'soon');
    const { status, body: answer } = await call('POST', '/files', { key: stage.apiKey, body });
    expect([status, answer.error.metadata.path]).toEqual([400, 'expires_in_seconds']);
  });
});

test('files are listed by purpose', async () => {
  const { key } = await newWorkspace();
  for (const purpose of ['batch', 'vision', 'batch']) {
    const body = form(purpose);
    body.append('purpose', purpose);
    await call('POST', '/files', { key, body });
  }
  const { body } = await call('GET', '/files?purpose=vision', {
    key,
    headers: { 'user-agent': 'OpenAI/JS 1' },
  });
  expect(body.data.map((file: { purpose: string }) => file.purpose)).toEqual(['vision']);
  expect((await call('GET', '/files?purpose=visio', { key })).body.error.message).toMatch(
    /did you mean vision\?$/,
  );
});
