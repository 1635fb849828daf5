import { describe, expect, test } from '@jest/globals';
import { call, stage } from './stage.ts';

const key = stage.managementKey;
const create = (json: unknown) => call('POST', '/workspaces', { key, json });
const unique = () => `w-${crypto.randomUUID()}`;

describe('a workspace', () => {
  test('is created with every field, and found by id and by slug', async () => {
    const slug = unique();
    const { status, body, headers } = await create({ name: 'Films', slug, description: 'Clips', unknown: 1 });
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
    expect(body.data).not.toHaveProperty('unknown');
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
    expect(refused.body.error.metadata).toEqual({ error_type: 'invalid_request', path: 'slug' });
  });

  test('by the name of default is there from the start', async () => {
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
