import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { findOffer } from '../../../functions/videos/catalogue/catalogue.ts';
import { videoSettingsSchema } from '../../../lib/stage/settings/providers.ts';

const row = { ...findOffer('fal/veo-3.1')!, id: 'acme/fox-1' };
const reason = (settings: unknown) => v.safeParse(videoSettingsSchema, settings).issues?.[0].message;

describe('a stage’s video settings', () => {
  test('may be empty', () => {
    expect(v.parse(videoSettingsSchema, {})).toEqual({ providers: {}, models: [] });
  });

  test('name providers and add models', () => {
    const settings = {
      providers: { fal: {}, 'openai-videos': { base_url: 'http://10.0.0.7:8000/v1', credential: 'none' } },
      models: [row, { ...row, id: 'acme/own-1', provider: 'openai-videos', dialect: {} }],
    };
    expect(v.parse(videoSettingsSchema, settings)).toMatchObject({
      providers: { fal: { credential: 'workspace' } },
      models: [{ id: 'acme/fox-1' }, { id: 'acme/own-1' }],
    });
  });

  test.each([
    ['a provider without an adapter', { providers: { sora: {} } }, /must be one of sandbox, /],
    [
      'something that is not an address',
      { providers: { fal: { base_url: 'gpu.local' } } },
      /must be an http/,
    ],
    ['an unknown setting', { providers: { fal: { api_key: 'sk-1' } } }, /api_key/],
    [
      'a row whose provider has no adapter',
      { models: [{ ...row, provider: 'sora' }] },
      /without an adapter: sora/,
    ],
    [
      'a foreign dialect',
      { models: [{ ...row, dialect: { durations: 'text' } }] },
      /dialect that the adapter of fal/,
    ],
    ['a default out of range', { models: [{ ...row, default_duration: 5 }] }, /must support its default_/],
    [
      'a default that its resolution excludes',
      { models: [{ ...row, durations_by_resolution: { '720p': [4] } }] },
      /must support its default_/,
    ],
    ['an unknown field', { models: [{ ...row, prise: 1 }] }, /prise/],
    ['something that is not a date', { models: [{ ...row, eol_at: 'soon' }] }, /date/],
  ])('are refused with %s', (_, settings, message) => {
    expect(reason(settings)).toMatch(message);
  });
});
