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

  test.each([
    ['name', ''],
    ['name', 'a'.repeat(101)],
    ['name', 1],
    ['name', undefined],
    ['name', '\uD800'],
    ['slug', ''],
    ['slug', 'a'.repeat(51)],
    ['slug', 'A'],
    ['slug', 'a_b'],
    ['slug', '-a'],
    ['slug', 'a-'],
    ['slug', 'a--b'],
    ['slug', 'a\n'],
    ['description', 'd'.repeat(501)],
    ['default_provider_sort', 'cheap'],
    ['io_logging_api_key_ids', [true]],
    ['io_logging_api_key_ids', Array(101).fill('k')],
    ['io_logging_sampling_rate', 0.00009],
    ['io_logging_sampling_rate', 1.1],
    ['is_data_discount_logging_enabled', 'yes'],
    ['video_retention_days', 2],
    ['video_retention_days', 91],
    ['video_retention_days', '7'],
  ])('may not have %s %p, and the refusal names the field', (field, value) => {
    expect(() => parse({ [field]: value })).toThrow(new RegExp(`^${field}[.:]`));
  });

  test('explains that a key id must be a whole number', () => {
    const refused =
      'io_logging_api_key_ids.0: must be an API key id: a string of 1 to 200 characters, or a whole';
    expect(() => parse({ io_logging_api_key_ids: [1.5] })).toThrow(refused);
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
