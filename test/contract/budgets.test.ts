import { describe, expect, test } from '@jest/globals';
import { errorMetadata } from '../http/error-bodies.ts';
import { call, newWorkspace, stage } from './stage.ts';

const key = stage.managementKey;
const put = (workspace: string, interval: string, json: unknown) =>
  call('PUT', `/workspaces/${workspace}/budgets/${interval}`, { key, json });

const submit = (caller: string, duration = 1) =>
  call('POST', '/videos', { key: caller, json: { model: 'sandbox/clip-1', prompt: 'A fox', duration } });

describe('a budget', () => {
  test('is set, shown, listed, and removed any number of times', async () => {
    const { id, slug } = await newWorkspace();
    const set = await put(slug, 'monthly', { limit_usd: 12.5 });
    expect(set.status).toBe(200);
    expect(set.body).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        workspace_id: id,
        reset_interval: 'monthly',
        limit_usd: 12.5,
        used_usd: 0,
        remaining_usd: 12.5,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
      include_byok_in_budgets: false,
    });
    await put(id, 'lifetime', { limit_usd: 100, include_byok_in_budgets: true });
    expect((await call('GET', `/workspaces/${id}/budgets/monthly`, { key })).body).toEqual({
      ...set.body,
      include_byok_in_budgets: true,
    });
    const { body } = await call('GET', `/workspaces/${slug}/budgets`, { key });
    expect(body.data.map((each: { reset_interval: string }) => each.reset_interval)).toEqual([
      'monthly',
      null,
    ]);
    expect((await call('GET', `/workspaces/${id}`, { key })).body.data.include_byok_in_budgets).toBe(true);
    for (const _ of [1, 2]) {
      const removed = await call('DELETE', `/workspaces/${id}/budgets/monthly`, { key });
      expect([removed.status, removed.body]).toEqual([200, { deleted: true }]);
    }
    expect((await call('GET', `/workspaces/${id}/budgets/monthly`, { key })).status).toBe(404);
  });

  test.each([
    ['daily', { limit_usd: 0 }, 'limit_usd'],
    ['daily', { limit_usd: -1 }, 'limit_usd'],
    ['daily', { limit_usd: '5' }, 'limit_usd'],
    ['daily', { limit_usd: 0.0000001 }, 'limit_usd'],
    ['daily', {}, 'limit_usd'],
    ['daily', { limit_usd: 1, include_byok_in_budgets: 1 }, 'include_byok_in_budgets'],
  ])('for a %s interval is refused when it is %j', async (interval, json, path) => {
    const { id } = await newWorkspace();
    const { status, body } = await put(id, interval, json);
    expect([status, body.error.metadata]).toEqual([400, errorMetadata('invalid_request', { path })]);
  });

  test('must be more than that of a shorter interval, and less than that of a longer one', async () => {
    const { id } = await newWorkspace();
    expect((await put(id, 'weekly', { limit_usd: 5 })).status).toBe(200);
    for (const [interval, limit] of [
      ['daily', 5],
      ['monthly', 5],
      ['lifetime', 4.999999],
    ] as const) {
      const { status, body } = await put(id, interval, { limit_usd: limit });
      expect(status).toBe(400);
      expect(body.error.message).toMatch(
        new RegExp(`${interval} budget.*weekly budget|weekly budget.*${interval} budget`),
      );
    }
    expect((await put(id, 'daily', { limit_usd: 4.999999 })).status).toBe(200);
    expect((await put(id, 'monthly', { limit_usd: 5.000001 })).status).toBe(200);
  });

  test('is not found for an unknown workspace or interval', async () => {
    const { id } = await newWorkspace();
    expect((await put(crypto.randomUUID(), 'daily', { limit_usd: 1 })).status).toBe(404);
    expect((await put(id, 'hourly', { limit_usd: 1 })).status).toBe(404);
  });

  test('refuses jobs that do not fit, and says what is left', async () => {
    const workspace = await newWorkspace();
    await put(workspace.id, 'daily', { limit_usd: 0.015 });
    expect((await submit(workspace.key)).status).toBe(202);
    const { status, body } = await submit(workspace.key);
    expect(status).toBe(402);
    expect(body.error.message).toBe(
      'The maximum cost of $0.01 exceeds the remaining amount of the workspace’s daily budget: $0.005 of $0.015',
    );
    expect(body.error.metadata).toEqual(
      errorMetadata('payment_required', {
        scope: 'workspace',
        interval: 'daily',
        estimate_usd: 0.01,
        remaining_usd: 0.005,
        limit_usd: 0.015,
        resets_at: expect.stringMatching(/T00:00:00.000Z$/),
      }),
    );
  });
});

describe('a key’s limit', () => {
  test('is set with the key, used up, shown, raised and removed', async () => {
    const { id } = await newWorkspace();
    const created = await call('POST', '/keys', {
      key,
      json: { name: 'Limited', workspace_id: id, limit: 0.02, limit_reset: 'weekly' },
    });
    expect(created.body.data).toMatchObject({ limit: 0.02, limit_remaining: 0.02, limit_reset: 'weekly' });
    const caller = created.body.key;
    const path = `/keys/${created.body.data.hash}`;
    expect((await submit(caller, 2)).status).toBe(202);
    const refused = await submit(caller);
    expect([refused.status, refused.body.error.metadata.scope]).toEqual([402, 'key']);
    expect((await call('GET', path, { key })).body.data).toMatchObject({ limit: 0.02, limit_remaining: 0 });

    await call('PATCH', path, { key, json: { limit: 0.03 } });
    expect((await submit(caller)).status).toBe(202);
    const lifted = await call('PATCH', path, { key, json: { limit: null } });
    expect(lifted.body.data).toMatchObject({ limit: null, limit_remaining: null, limit_reset: null });
    expect((await submit(caller)).status).toBe(202);
  });

  test.each([
    [{ limit: -1 }, 'limit'],
    [{ limit: '1' }, 'limit'],
    [{ limit_reset: 'yearly' }, 'limit_reset'],
    [{ include_byok_in_limit: 'yes' }, 'include_byok_in_limit'],
    [{ rate_limits: { submit: 0 } }, 'rate_limits.submit'],
  ])('%j is refused', async (json, path) => {
    const { status, body } = await call('POST', '/keys', { key, json: { name: 'Bad', ...json } });
    expect([status, body.error.metadata.path]).toEqual([400, path]);
  });
});

describe('credits', () => {
  // The first grant limits the whole deployment. Other tests use it too, so the amount must be large.
  const grant = (
    idempotencyKey: string | undefined,
    json: unknown = { amount_usd: 1_000_000, note: 'Tests' },
  ) =>
    call('POST', '/credits', {
      key,
      json,
      ...(idempotencyKey === undefined ? {} : { headers: { 'idempotency-key': idempotencyKey } }),
    });

  test('are granted once per idempotency key, even for ten requests at once', async () => {
    const before = (await call('GET', '/credits', { key })).body.data.total_credits;
    const once = crypto.randomUUID();
    const grants = await Promise.all(Array.from({ length: 10 }, () => grant(once)));
    for (const { status, body } of grants) {
      expect([status, body]).toEqual([200, grants[0]?.body]);
    }
    expect(grants.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect((await call('GET', '/credits', { key })).body.data).toEqual({
      total_credits: before + 1_000_000,
      total_usage: expect.any(Number),
      reserved: expect.any(Number),
      remaining: expect.any(Number),
    });
    expect((await grant(once, { amount_usd: 2 })).status).toBe(400);
  });

  test('are refused without an idempotency key, or an amount', async () => {
    expect((await grant(undefined)).body.error.metadata.path).toBe('Idempotency-Key');
    expect((await grant('x y')).status).toBe(400);
    expect((await grant(crypto.randomUUID(), {})).body.error.metadata.path).toBe('amount_usd');
  });
});
