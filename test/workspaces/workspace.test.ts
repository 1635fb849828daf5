import { describe, expect, test } from '@jest/globals';
import { validate } from '../../functions/http/validation.ts';
import { createWorkspace, newWorkspaceSchema, uuidV5 } from '../../functions/workspaces/workspace.ts';

const parse = (change: Record<string, unknown>) =>
  validate(newWorkspaceSchema, { name: 'Team', slug: 'team', ...change });

describe('a new workspace', () => {
  test.each([
    ['name', 'a'],
    ['name', '👩'.repeat(100)],
    ['slug', 'a'],
    ['slug', `${'a'.repeat(49)}b`],
    ['slug', 'a-1-b'],
    ['description', ''],
    ['description', 'd'.repeat(500)],
    ['description', null],
    ['default_text_model', 'openai/gpt'],
    ['default_provider_sort', 'exacto'],
    ['disabled_server_tools', ['openrouter:web_search']],
    ['disabled_server_tools', null],
    ['io_logging_api_key_ids', ['a', 1]],
    ['io_logging_api_key_ids', []],
    ['io_logging_sampling_rate', 0.0001],
    ['io_logging_sampling_rate', 1],
    ['is_observability_io_logging_enabled', true],
    ['video_retention_days', 7],
    ['video_retention_days', null],
  ])('may have %s %p', (field, value) => {
    expect(parse({ [field]: value })).toHaveProperty(field, value);
  });

  const SLUG =
    'must be 1 to 50 characters: lowercase letters and digits, in segments joined by single hyphens';
  const DAYS = 'must be one of 1, 3, 7, 14, 30, 60, 90 (days), or null';

  test.each([
    ['name', '', 'must be 1 to 100 characters'],
    ['name', 'a'.repeat(101), 'must be 1 to 100 characters'],
    ['name', 1, 'must be a string'],
    ['name', undefined, 'must be a string'],
    ['name', '\uD800', 'must be well-formed Unicode'],
    ['slug', '', SLUG],
    ['slug', 'a'.repeat(51), SLUG],
    ['slug', 'A', SLUG],
    ['slug', 'a_b', SLUG],
    ['slug', '-a', SLUG],
    ['slug', 'a-', SLUG],
    ['slug', 'a--b', SLUG],
    ['slug', 'a\n', SLUG],
    ['description', 'd'.repeat(501), 'must be at most 500 characters'],
    ['disabled_server_tools', Array(101).fill('t'), 'must be a list of up to 100 names, or null'],
    ['default_provider_sort', 'cheap', 'must be one of price, throughput, latency, exacto, or null'],
    ['io_logging_api_key_ids', Array(101).fill('k'), 'must have at most 100 hashes of keys'],
    ['io_logging_sampling_rate', 0.00009, 'must be from 0.0001 to 1'],
    ['io_logging_sampling_rate', 1.1, 'must be from 0.0001 to 1'],
    ['is_data_discount_logging_enabled', 'yes', 'must be true or false'],
    ['video_retention_days', 2, DAYS],
    ['video_retention_days', 91, DAYS],
    ['video_retention_days', '7', DAYS],
  ])('may not have %s %p: %s', (field, value, rule) => {
    const refusal = expect.objectContaining({ message: `${field}: ${rule}` });
    expect(() => parse({ [field]: value })).toThrow(refusal);
  });

  test.each([true, 1.5])('may not name the key %p, and the refusal says which one it is', (id) => {
    const rule = 'must be the hash of a key';
    const refusal = expect.objectContaining({ message: `io_logging_api_key_ids.1: ${rule}` });
    expect(() => parse({ io_logging_api_key_ids: ['a', id] })).toThrow(refusal);
  });

  test('has every field of a workspace, with the documented defaults', () => {
    const now = new Date('2026-01-01T00:00:00Z');
    const workspace = createWorkspace(parse({ extra: 1 }), {
      id: 'c0ffee00-0000-4000-8000-000000000000',
      createdBy: 'u',
      now,
    });
    expect(workspace).toEqual({
      id: 'c0ffee00-0000-4000-8000-000000000000',
      name: 'Team',
      slug: 'team',
      description: null,
      default_text_model: null,
      default_image_model: null,
      default_provider_sort: null,
      disabled_server_tools: null,
      default_guardrail_id: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      created_by: 'u',
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: null,
      include_byok_in_budgets: false,
      io_logging_api_key_ids: null,
      io_logging_sampling_rate: 1,
      is_data_discount_logging_enabled: true,
      is_observability_broadcast_enabled: false,
      is_observability_io_logging_enabled: false,
      video_retention_days: null,
    });
  });

  test('names are hashed into UUIDs as in the appendix of RFC 9562', () => {
    expect(uuidV5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe(
      '2ed6657d-e927-568b-95e1-2665a8aea6a2',
    );
  });
});
