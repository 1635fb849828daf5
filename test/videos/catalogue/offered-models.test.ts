import { describe, expect, test } from '@jest/globals';
import { NotFound } from '../../../functions/http/errors.ts';
import { findModel } from '../../../functions/videos/catalogue/catalogue.ts';
import {
  offeredModel,
  offeredModels,
  whyNotOffered,
} from '../../../functions/videos/catalogue/offered-models.ts';

const now = new Date('2026-11-21T00:00:00Z');
const fal = { fal: { credential: 'workspace' as const } };
const veo = findModel('fal/veo-3.1')!;

describe('the models on offer', () => {
  test('are none where no provider is configured, not even the sandbox’s', () => {
    expect(offeredModels({}, now)).toEqual([]);
  });

  test('are those of each provider that is', () => {
    const providers = offeredModels(fal, now).map(({ provider }) => provider);
    expect([...new Set(providers)]).toEqual(['fal']);
    expect(offeredModel(veo.id, fal, now)).toBe(veo);
  });

  test.each([
    ['nobody/knows-it', /there is no "nobody\/knows-it"; GET \/api\/v1\/videos\/models lists/],
    [veo.id, /run by fal, which is not configured here/],
    ['sandbox/clip-1', /run by sandbox, which is not configured here/],
  ])('are not %s', (id, message) => {
    expect(() => offeredModel(id, {}, now)).toThrow(NotFound);
    expect(() => offeredModel(id, {}, now)).toThrow(message);
  });

  test.each([
    ['2026-11-20', /ended by its vendor on 2026-11-20/],
    ['2026-11-21', /ended by its vendor on 2026-11-21/],
    ['2026-11-22', undefined],
  ])('end with their vendor’s date %s', (eol_at, why) => {
    const said = whyNotOffered({ ...veo, eol_at }, fal, now);
    if (why === undefined) expect(said).toBeUndefined();
    else expect(said).toMatch(why);
  });
});
