import { describe, expect, test } from '@jest/globals';
import { NotFound } from '../../../functions/http/errors.ts';
import { bundledCatalogue, findOffer } from '../../../functions/videos/catalogue/catalogue.ts';
import { offeredModel, offeredModels, whyNotOffered } from '../../../functions/videos/routing/narrow.ts';

const now = new Date('2026-11-21T00:00:00Z');
const fal = { fal: { credential: 'workspace' as const } };
const veo = findOffer('fal/veo-3.1')!;

describe('the models on offer', () => {
  test('are none if no provider is configured, not even the sandbox’s', () => {
    expect(offeredModels(bundledCatalogue, {}, now)).toEqual([]);
  });

  test('are those of each configured provider', () => {
    const models = offeredModels(bundledCatalogue, fal, now);
    const providers = models.flatMap(({ offers }) => offers.map(({ provider }) => provider));
    expect([...new Set(providers)]).toEqual(['fal']);
    expect(models.map(({ id }) => id)).toContain('google/veo-3.1');
  });

  test('can be named by model, and an offer by its own id', () => {
    const both = { ...fal, replicate: { credential: 'workspace' as const } };
    const named = (id: string) =>
      offeredModel(id, bundledCatalogue, both, now).offers.map((offer) => offer.id);
    expect(named('google/veo-3.1')).toEqual(['fal/veo-3.1', 'replicate/veo-3.1']);
    expect(named('replicate/veo-3.1')).toEqual(['replicate/veo-3.1']);
  });

  test.each([
    ['nobody/knows-it', /there is no "nobody\/knows-it"; GET \/api\/v1\/videos\/models lists/],
    [veo.id, /run by fal, which is not configured here/],
    ['google/veo-3.1', /gemini-veo\/veo-3.1 is run by gemini-veo, which .*; fal\/veo-3.1 is run by fal, /],
    ['sandbox/clip-1', /run by sandbox, which is not configured here/],
  ])('are not %s', (id, message) => {
    expect(() => offeredModel(id, bundledCatalogue, {}, now)).toThrow(NotFound);
    expect(() => offeredModel(id, bundledCatalogue, {}, now)).toThrow(message);
  });

  test.each([
    ['google/veo3.1', 'google/veo-3.1'],
    ['fal/veo3.1', 'fal/veo-3.1'],
  ])('are suggested for %s', (id, meant) => {
    expect(() => offeredModel(id, bundledCatalogue, fal, now)).toThrow(`did you mean "${meant}"?`);
  });

  test.each([
    ['2026-11-20', /ended by its vendor on 2026-11-20/],
    ['2026-11-21', /ended by its vendor on 2026-11-21/],
    ['2026-11-22', undefined],
  ])('end with their vendor’s date %s', (eol_at, why) => {
    const said = whyNotOffered({ ...veo, eol_at }, bundledCatalogue, fal, now);
    if (why === undefined) expect(said).toBeUndefined();
    else expect(said).toMatch(why);
  });
});
