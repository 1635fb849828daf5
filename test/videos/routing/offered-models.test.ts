import { describe, expect, test } from '@jest/globals';
import { ModelRetired, NotFound } from '../../../functions/http/errors.ts';
import { bundledCatalogue, Catalogue, findOffer } from '../../../functions/videos/catalogue/catalogue.ts';
import {
  assertRulesKnown,
  offeredModel,
  offeredModels,
  whyNotOffered,
} from '../../../functions/videos/routing/narrow.ts';

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
    [veo.id, /served by fal, which this deployment does not offer/],
    [
      'google/veo-3.1',
      /fal\/veo-3.1 is served by fal, which .*; replicate\/veo-3.1 is served by replicate, /,
    ],
    ['sandbox/clip-1', /served by sandbox, which this deployment does not offer/],
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
    ['2026-11-20', /retired by its vendor on 2026-11-20/],
    ['2026-11-21', /retired by its vendor on 2026-11-21/],
    ['2026-11-22', undefined],
  ])('end with their vendor’s date %s', (eol_at, why) => {
    const said = whyNotOffered({ ...veo, eol_at }, bundledCatalogue, fal, now);
    if (why === undefined) expect(said).toBeUndefined();
    else expect(said).toMatch(why);
  });
});

describe('a paused model', () => {
  const paused = (...ids: string[]) => new Catalogue(bundledCatalogue.offers, ids);
  const both = { ...fal, replicate: { credential: 'workspace' as const } };

  test('is refused for a while, and is no unknown one', () => {
    expect(() => offeredModel('google/veo-3.1', paused('fal/veo-3.1'), fal, now)).toThrow(
      expect.objectContaining({
        status: 503,
        errorType: 'service_unavailable',
        headers: { 'retry-after': '60' },
        metadata: { path: 'model' },
      }),
    );
  });

  test('is served by an offer that is not paused', () => {
    expect(offeredModel('google/veo-3.1', paused('fal/veo-3.1'), both, now).offers).toHaveLength(1);
  });

  test('is unknown where it could not be used anyway', () => {
    expect(() => offeredModel('google/veo-3.1', paused('fal/veo-3.1'), {}, now)).toThrow(NotFound);
  });
});

describe('a model that has ended', () => {
  const ended = { ...veo, id: 'acme/fox', model: 'acme/fox', eol_at: '2026-11-20' };
  const offer = (catalogue: Catalogue, id: string) => () => offeredModel(id, catalogue, fal, now);

  test('is answered with the one to use instead, long after its row is gone', () => {
    const ask = offer(bundledCatalogue, 'gemini-veo/veo-3.1');
    expect(ask).toThrow(ModelRetired);
    expect(ask).toThrow(/retired by its vendor on 2026-10-22; its successor is google\/veo-3\.1/);
    expect(ask).toThrow(
      expect.objectContaining({
        status: 404,
        errorType: 'model_retired',
        metadata: { path: 'model', successor: 'google/veo-3.1' },
      }),
    );
  });

  test('is answered so from the day that its row names, with the successor of the last offer to end', () => {
    const first = { ...ended, id: 'one/fox', eol_at: '2026-11-01', successor: 'acme/ant' };
    const last = { ...ended, id: 'two/fox', eol_at: '2026-11-20', successor: 'acme/owl' };
    expect(offer(new Catalogue([last, first]), 'acme/fox')).toThrow(
      /on 2026-11-20; its successor is acme\/owl/,
    );
    expect(offer(new Catalogue([first, last]), 'one/fox')).toThrow(
      /on 2026-11-01; its successor is acme\/ant/,
    );
  });

  test('may have no successor', () => {
    expect(offer(new Catalogue([ended]), 'acme/fox')).toThrow(/on 2026-11-20; GET \/api/);
  });

  test('is not retired while one of its offers goes on, on this stage or elsewhere', () => {
    const other = { ...veo, id: 'replicate/fox', model: 'acme/fox', provider: 'replicate' };
    const ask = offer(new Catalogue([ended, other]), 'acme/fox');
    expect(ask).toThrow(expect.objectContaining({ errorType: 'not_found' }));
  });

  test('is still a known name where a guardrail lists it', () => {
    const rules = { allowed_models: ['gemini-veo/veo-3.1', 'google/veo-3.1'] };
    expect(() => assertRulesKnown(rules, bundledCatalogue, fal)).not.toThrow();
  });
});
