import { describe, expect, test } from '@jest/globals';
import { call, form, newWorkspace, stage } from './stage.ts';
import { endedVideo, until } from './until.ts';

test('a moved key acts in its new workspace, and its jobs stay', async () => {
  const [from, to] = [await newWorkspace(), await newWorkspace()];
  const admin = stage.managementKey;
  const made = (await call('POST', '/keys', { key: admin, json: { name: 'Moving', workspace_id: from.id } }))
    .body;
  const json = { model: 'sandbox/clip-1', prompt: 'A fox', duration: 1 };
  const { id } = (await call('POST', '/videos', { key: made.key, json })).body;
  const moved = await call('PATCH', `/keys/${made.data.hash}`, { key: admin, json: { workspace_id: to.id } });
  expect([moved.status, moved.body.data.workspace_id]).toEqual([200, to.id]);
  const seen = () => call('GET', `/videos/${id}`, { key: made.key });
  expect((await until(seen, ({ status }) => status === 404)).status).toBe(404);
  const jobsOf = async ({ id: workspace }: { id: string }): Promise<string[]> => {
    const { body } = await call('GET', `/videos?workspace_id=${workspace}`, { key: admin });
    return body.data.map((job: { id: string }) => job.id);
  };
  // A warm function knows the key for five seconds.
  const submit = async () => {
    await call('POST', '/videos', { key: made.key, json });
    return jobsOf(to);
  };
  expect(await until(submit, (jobs) => jobs.length > 0)).not.toContain(id);
  expect(await jobsOf(from)).toContain(id);
});

describe('keys', () => {
  test('are shown once, belong to a workspace, and never appear in lists', async () => {
    const { id } = await newWorkspace();
    const created = await call('POST', '/keys', {
      key: stage.managementKey,
      json: { name: 'CI', workspace_id: id, expires_at: '2999-01-01T00:00:00+01:00' },
    });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(`/api/v1/keys/${created.body.data.hash}`);
    expect(created.body.key).toMatch(/^sk-gw-v1-/);
    expect(created.body.data).toMatchObject({
      name: 'CI',
      workspace_id: id,
      disabled: false,
      expires_at: '2998-12-31T23:00:00.000Z',
    });
    const listed = await call('GET', `/keys?workspace_id=${id}`, { key: stage.managementKey });
    expect(listed.status).toBe(200);
    expect(listed.body.data).toContainEqual(created.body.data);
    expect(JSON.stringify(listed.body)).not.toContain(created.body.key);
  });

  test('are refused once they have expired', async () => {
    const { body } = await call('POST', '/keys', {
      key: stage.managementKey,
      json: { name: 'Old', expires_at: new Date(Date.now() + 10_000).toISOString() },
    });
    const answer = await until(
      () => call('GET', '/videos/unknown', { key: body.key }),
      ({ status }) => status !== 404,
    );
    expect(answer.status).toBe(401);
  });

  test('are created and listed by a workspace’s slug, and keep their external user', async () => {
    const { slug, id } = await newWorkspace();
    const external = { user: 'acme', api_key: 'their-key-7' };
    const json = { name: 'Slug', workspace_id: slug, external };
    const { status, body } = await call('POST', '/keys', { key: stage.managementKey, json });
    expect([status, body.data]).toEqual([
      201,
      expect.objectContaining({ workspace_id: id, external, external_user: 'acme' }),
    ]);
    const listed = await call('GET', `/keys?workspace_id=${slug}`, { key: stage.managementKey });
    expect(listed.body.data.map(({ hash }: { hash: string }) => hash)).toContain(body.data.hash);
  });

  test('for management can be created with a management key', async () => {
    const { body } = await call('POST', '/keys', {
      key: stage.managementKey,
      json: { name: 'Second', management: true },
    });
    expect(body.key).toMatch(/^mk-gw-v1-/);
    expect((await call('GET', '/keys', { key: body.key })).status).toBe(200);
  });

  test.each([
    [{ workspace_id: 'c0ffee00-0000-4000-8000-000000000000' }, /^workspace_id: no such workspace/],
    [{ workspace_id: 'x' }, /^workspace_id: no such workspace/],
    [
      { management: true, scope: { workspaces: ['c0ffee00-0000-4000-8000-000000000000'] } },
      /^scope\.workspaces\.0: no such workspace/,
    ],
    [
      { management: true, scope: { workspaces: ['default', 'x'] } },
      /^scope\.workspaces\.1: no such workspace/,
    ],
    [{ workspace_id: 'no such' }, /^workspace_id: must be the ID \(a UUID\) or the slug/],
    [{ expires_at: '2001-01-01T00:00:00Z' }, /^expires_at: must be in the future$/],
    [{ rate_limits: { uploads: 5 } }, /^rate_limits\.uploads: is not a known field; did you mean upload\?$/],
    [{ external: { api_key: 'x' } }, /^external\.user: is required$/],
    [{ expires_at: 'tomorrow' }, /^expires_at: must be an ISO 8601/],
    [{ name: '' }, /^name: must be 1 to 100 characters/],
    [{ external_user: '' }, /^external_user: must be 1 to 256 characters/],
    [{ rate_limits: [] }, /^rate_limits: must be an object/],
  ])('with %p are refused', async (change, message) => {
    const answer = await call('POST', '/keys', {
      key: stage.managementKey,
      headers: { 'x-genway-strict': 'false' },
      json: { name: 'CI', ...change },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toMatch(message);
  });
});

describe('the list of keys', () => {
  test('has the same order on every page, even for keys of the same moment', async () => {
    const { id } = await newWorkspace();
    const make = () =>
      call('POST', '/keys', { key: stage.managementKey, json: { name: 'Page', workspace_id: id } });
    await Promise.all(Array.from({ length: 12 }, make));
    const list = async (offset: number) => {
      const path = `/keys?workspace_id=${id}&offset=${offset}`;
      const { body } = await call('GET', path, { key: stage.managementKey });
      return body.data.map((key: { created_at: string; hash: string }) => `${key.created_at} ${key.hash}`);
    };
    const all = await list(0);
    expect(all).toHaveLength(13);
    expect(all).toEqual([...all].sort());
    for (const offset of [1, 5, 12, 13]) expect(await list(offset)).toEqual(all.slice(offset));
  });
});

describe('a key', () => {
  const issue = async (fields = {}) => {
    const { body } = await call('POST', '/keys', {
      key: stage.managementKey,
      json: { name: 'Once', ...fields },
    });
    return body as { key: string; data: { hash: string } };
  };

  test('is shown to management, and to itself', async () => {
    const { key, data } = await issue();
    const shown = await call('GET', `/keys/${data.hash}`, { key: stage.managementKey });
    expect(shown.body).toEqual({ data });
    const { last_used_at: _, ...own } = (await call('GET', '/key', { key })).body.data;
    expect({ ...own, last_used_at: null }).toMatchObject(data);
  });

  test('shows itself every limit that its jobs must fit, and the one that refuses them first', async () => {
    const workspace = await newWorkspace();
    const { body } = await call('GET', `/workspaces/${workspace.id}`, { key: stage.managementKey });
    const guardrailId = body.data.default_guardrail_id;
    const limit = (method: string, path: string, json: object) =>
      call(method, path, { key: stage.managementKey, json });
    await limit('PUT', `/workspaces/${workspace.id}/budgets/daily`, { limit_usd: 2 });
    await limit('PATCH', `/guardrails/${guardrailId}`, { limit_usd: 1, reset_interval: 'weekly' });
    const issued = await limit('POST', '/keys', { name: 'CI', workspace_id: workspace.id, limit: 3 });
    const { data } = (await call('GET', '/key', { key: issued.body.key })).body;
    const shown = (scope: string, limit_usd: number, guardrail_id: string | null) =>
      expect.objectContaining({ scope, limit_usd, guardrail_id, spend_usd: 0, remaining_usd: limit_usd });
    const last = shown('workspace_default_key', 1, guardrailId);
    expect(data.budgets).toEqual([shown('key_limit', 3, null), shown('workspace', 2, null), last]);
    expect(data.effective_budget).toEqual(last);
  });

  test('shows when it was last used, to the minute', async () => {
    const { key, data } = await issue();
    const shown = async () =>
      (await call('GET', `/keys/${data.hash}`, { key: stage.managementKey })).body.data;
    expect(await shown()).toHaveProperty('last_used_at', null);
    const before = Date.now();
    await call('GET', '/files', { key });
    const { last_used_at: first } = await shown();
    expect(Date.parse(first)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(first)).toBeLessThanOrEqual(Date.now());
    for (const path of ['/files', '/videos', '/key']) await call('GET', path, { key });
    expect(await shown()).toEqual({ ...data, last_used_at: first });
  });

  test('for management cannot disable or delete itself, so that nobody is locked out', async () => {
    const { key, data } = await issue({ management: true });
    const path = `/keys/${data.hash}`;
    for (const json of [{ disabled: true }, { expires_at: '2001-01-01T00:00:00Z' }]) {
      const refused = await call('PATCH', path, { key, json });
      expect([refused.status, refused.body.error.metadata.path]).toEqual([400, Object.keys(json)[0]]);
    }
    const refused = await call('DELETE', path, { key });
    expect(refused.status).toBe(400);
    expect(refused.body.error.message).toMatch(/cannot disable or delete itself; use another management key/);
    expect((await call('PATCH', path, { key, json: { name: 'Mine' } })).status).toBe(200);
    expect((await call('DELETE', path, { key: stage.managementKey })).status).toBe(200);
  });

  test('is renamed, disabled and given an expiry', async () => {
    const { data } = await issue();
    const json = {
      name: 'Renamed',
      disabled: true,
      external_user: 'Ada’s laptop',
      expires_at: '2999-01-01T00:00:00Z',
    };
    const changed = await call('PATCH', `/keys/${data.hash}`, { key: stage.managementKey, json });
    expect(changed.status).toBe(200);
    expect(changed.body.data).toEqual({
      ...data,
      ...json,
      expires_at: '2999-01-01T00:00:00.000Z',
      updated_at: expect.any(String),
    });
    const listed = await call('GET', '/keys?include_disabled=false', { key: stage.managementKey });
    expect(listed.body.data.map(({ hash }: { hash: string }) => hash)).not.toContain(data.hash);
  });

  test('that is disabled or deleted before it was ever used is refused at once', async () => {
    const disabled = await issue();
    await call('PATCH', `/keys/${disabled.data.hash}`, {
      key: stage.managementKey,
      json: { disabled: true },
    });
    expect((await call('GET', '/key', { key: disabled.key })).status).toBe(401);
    const deleted = await issue();
    const answer = await call('DELETE', `/keys/${deleted.data.hash}`, { key: stage.managementKey });
    expect([answer.status, answer.body]).toEqual([200, { deleted: true }]);
    expect((await call('GET', '/key', { key: deleted.key })).status).toBe(401);
  });

  test('that worked a moment ago spends and stores nothing once it is deleted', async () => {
    const { key, data } = await issue();
    const submit = () =>
      call('POST', '/videos', { key, json: { model: 'sandbox/clip-1', prompt: 'A fox', duration: 1 } });
    const upload = () => call('POST', '/files', { key, body: form('Some words.') });
    expect([(await submit()).status, (await upload()).status]).toEqual([202, 200]);
    await call('DELETE', `/keys/${data.hash}`, { key: stage.managementKey });
    const answers = await Promise.all([submit(), upload(), submit(), upload()]);
    for (const { status, body } of answers) {
      expect([status, body.error.message]).toEqual([401, 'Invalid API key']);
    }
  });

  test('that is deleted takes its waiting jobs along, uncharged', async () => {
    const { key, data } = await issue();
    const options = { sandbox: { submit: 429, retry_after: 1 } };
    const { body } = await call('POST', '/videos', {
      key,
      json: { model: 'sandbox/clip-1', prompt: 'A fox', duration: 1, provider: { options } },
    });
    const job = () => call('GET', `/videos/${body.id}`, { key: stage.managementKey });
    await until(job, (answer) => answer.body.waiting_for?.reason === 'rate_limit');
    await call('DELETE', `/keys/${data.hash}`, { key: stage.managementKey });
    const ended = await endedVideo(body.id, stage.managementKey);
    expect(ended.body).toMatchObject({
      status: 'cancelled',
      error: expect.stringContaining('The key that submitted the job was disabled or deleted, or expired'),
      error_details: { type: 'cancelled' },
    });
    expect(ended.body).toHaveProperty('usage.cost', 0);
  });

  test('that is enabled again works at once', async () => {
    const { key, data } = await issue();
    for (const disabled of [true, false, true, false]) {
      await call('PATCH', `/keys/${data.hash}`, { key: stage.managementKey, json: { disabled } });
      const { status } = await call('POST', '/videos', {
        key,
        json: { model: 'sandbox/clip-1', prompt: 'A fox', duration: 1 },
      });
      expect(status).toBe(disabled ? 401 : 202);
    }
  });

  test.each(['GET', 'PATCH', 'DELETE'])('that does not exist is 404 to %s', async (method) => {
    for (const hash of ['0'.repeat(64), 'nonsense']) {
      const options = method === 'PATCH' ? { json: {} } : {};
      const { status } = await call(method, `/keys/${hash}`, { key: stage.managementKey, ...options });
      expect(status).toBe(404);
    }
  });
});
