import { describe, expect, test } from '@jest/globals';
import { errorMetadata } from '../http/error-bodies.ts';
import { call, newWorkspace, stage } from './stage.ts';
import { startedVideo } from './until.ts';

const key = stage.managementKey;
const create = (json: unknown) => call('POST', '/workspaces', { key, json });
const unique = () => `w-${crypto.randomUUID()}`;

describe('a workspace', () => {
  test('is created with every field, and found by id and by slug', async () => {
    const slug = unique();
    const { status, body, headers } = await create({ name: 'Films', slug, description: 'Clips' });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/api/v1/workspaces/${body.data.id}`);
    expect(body.data).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Films',
      slug,
      description: 'Clips',
      default_text_model: null,
      io_logging_api_key_ids: null,
      io_logging_sampling_rate: 1,
      is_data_discount_logging_enabled: true,
      updated_at: null,
    });
    for (const name of [body.data.id, slug]) {
      const found = await call('GET', `/workspaces/${name}`, { key });
      expect(found.status).toBe(200);
      expect(found.body).toEqual(body);
    }
  });

  test('cannot take a slug that another has, even at the same moment', async () => {
    const slug = unique();
    const answers = await Promise.all(Array.from({ length: 8 }, () => create({ name: 'One', slug })));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array(7).fill(400)]);
    const refused = answers.find(({ status }) => status === 400)!;
    expect(refused.body.error.message).toBe(`slug: "${slug}" is taken; choose another`);
    expect(refused.body.error.metadata).toEqual(errorMetadata('invalid_request', { path: 'slug' }));
  });

  test('named default exists from the start', async () => {
    const { status, body } = await call('GET', '/workspaces/default', { key });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ slug: 'default', name: 'Default' });
    expect((await create({ name: 'Mine', slug: 'default' })).status).toBe(400);
  });

  test.each(['nothing', 'c0ffee00-0000-4000-8000-000000000000', '%23', `${'a'.repeat(2000)}`])(
    'that does not exist (%s) is 404',
    async (name) => {
      const { status, body } = await call('GET', `/workspaces/${name}`, { key });
      expect(status).toBe(404);
      expect(body.error.metadata.error_type).toBe('not_found');
    },
  );
});

describe('a change of a workspace', () => {
  const change = (name: string, json: unknown) => call('PATCH', `/workspaces/${name}`, { key, json });

  test('sets what it names, clears what it nulls and keeps the rest', async () => {
    const slug = unique();
    const { body } = await create({ name: 'Before', slug, description: 'Old', default_text_model: 'a/b' });
    const changed = await change(slug, { name: 'After', description: null });
    expect(changed.status).toBe(200);
    expect(changed.body.data).toEqual({
      ...body.data,
      name: 'After',
      description: null,
      updated_at: expect.stringMatching(/^\d{4}-/),
    });
    expect((await call('GET', `/workspaces/${slug}`, { key })).body).toEqual(changed.body);
  });

  test('moves the slug, and frees the old one', async () => {
    const [before, after] = [unique(), unique()];
    const { body } = await create({ name: 'Mover', slug: before });
    expect((await change(body.data.id, { slug: after })).body.data.slug).toBe(after);
    expect((await call('GET', `/workspaces/${after}`, { key })).body.data.id).toBe(body.data.id);
    expect((await call('GET', `/workspaces/${before}`, { key })).status).toBe(404);
    expect((await create({ name: 'Next', slug: before })).status).toBe(201);
    expect((await change(body.data.id, { slug: before })).body.error.message).toMatch(/is taken/);
  });

  test('made by many callers at once loses none', async () => {
    const slug = unique();
    await create({ name: 'Busy', slug });
    const changes = [
      { name: 'One' },
      { description: 'Two' },
      { default_text_model: 'three' },
      { is_observability_broadcast_enabled: true },
    ];
    const answers = await Promise.all(changes.map((each) => change(slug, each)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { body } = await call('GET', `/workspaces/${slug}`, { key });
    expect(body.data).toMatchObject(Object.assign({}, ...changes));
  });

  test.each([
    [{ slug: 'A' }, /^slug:/],
    [{ name: '' }, /^name:/],
    [{ io_logging_sampling_rate: 2 }, /^io_logging_sampling_rate:/],
  ])('to %j is refused', async (json, message) => {
    const { status, body } = await change('default', json);
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(message)]);
  });

  test('to null changes nothing', async () => {
    const before = await change('default', {});
    const { status, body } = await change('default', { name: null, io_logging_sampling_rate: null });
    expect(status).toBe(200);
    expect({ ...body.data, updated_at: '' }).toEqual({ ...before.body.data, updated_at: '' });
  });

  test('cannot change the default workspace’s slug, and does not find an unknown workspace', async () => {
    expect((await change('default', { slug: unique() })).status).toBe(400);
    expect((await change('nothing', { name: 'x' })).status).toBe(404);
  });
});

describe('the list of workspaces', () => {
  test('is paged by offset, with the count of all', async () => {
    await create({ name: 'Listed', slug: unique() });
    const { status, body } = await call('GET', '/workspaces?limit=1&offset=0', { key });
    expect(status).toBe(200);
    expect(body.data).toHaveLength(1);
    expect(body.total_count).toBeGreaterThanOrEqual(2);
    const second = await call('GET', '/workspaces?limit=1&offset=1', { key });
    expect(second.body.data[0].id).not.toBe(body.data[0].id);
    expect((await call('GET', '/workspaces?limit=0', { key })).status).toBe(400);
  });
});

describe('a workspace that is deleted', () => {
  test('must have no active keys, and frees its slug', async () => {
    const { id, slug, key: caller } = await newWorkspace();
    const hash = (await call('GET', '/key', { key: caller })).body.data.hash;
    const refused = await call('DELETE', `/workspaces/${slug}`, { key });
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringMatching(/active keys/)]);
    await call('PATCH', `/keys/${hash}`, { key, json: { disabled: true } });
    const removed = await call('DELETE', `/workspaces/${slug}`, { key });
    expect([removed.status, removed.body]).toEqual([200, { deleted: true }]);
    for (const name of [id, slug]) {
      expect((await call('GET', `/workspaces/${name}`, { key })).status).toBe(404);
      expect((await call('DELETE', `/workspaces/${name}`, { key })).status).toBe(404);
    }
    expect((await call('PATCH', `/keys/${hash}`, { key, json: { disabled: false } })).status).toBe(400);
    expect((await call('POST', '/keys', { key, json: { name: 'Late', workspace_id: id } })).status).toBe(400);
    expect((await create({ name: 'Again', slug })).status).toBe(201);
  });

  test('must have no jobs that have not ended', async () => {
    const { id, key: caller } = await newWorkspace();
    const hash = (await call('GET', '/key', { key: caller })).body.data.hash;
    const job = await call('POST', '/videos', {
      key: caller,
      json: {
        model: 'sandbox/clip-1',
        prompt: 'A fox',
        duration: 1,
        provider: { options: { sandbox: { latency_s: 600 } } },
      },
    });
    expect(job.status).toBe(202);
    await startedVideo(job.body.id, caller);
    await call('DELETE', `/keys/${hash}`, { key });
    const refused = await call('DELETE', `/workspaces/${id}`, { key });
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      expect.stringMatching(/jobs that have not ended/),
    ]);
    await call('POST', `/videos/${job.body.id}/cancel`, { key });
    expect((await call('DELETE', `/workspaces/${id}`, { key })).status).toBe(200);
  });

  test('is never the default one', async () => {
    const { status, body } = await call('DELETE', '/workspaces/default', { key });
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(/default/)]);
  });
});
