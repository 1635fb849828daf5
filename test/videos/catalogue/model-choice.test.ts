import { describe, expect, test } from '@jest/globals';
import { query } from '../../../functions/http/call.ts';
import { allOffers, bundledCatalogue } from '../../../functions/videos/catalogue/catalogue.ts';
import { listedModel, modelEndpoints } from '../../../functions/videos/catalogue/listed-model.ts';
import {
  chosenModels,
  type ModelChoice,
  modelListQuery,
} from '../../../functions/videos/catalogue/model-choice.ts';
import { describeModel } from '../../../functions/videos/catalogue/model-view.ts';
import { NO_FIGURES } from '../../../functions/videos/routing/figures.ts';

const NOW = new Date('2026-11-26T00:00:00Z');
const DAY = 86_400;
const shown = (restsUntil = 0) =>
  bundledCatalogue.models.map((model) =>
    describeModel(model, { figuresOf: () => ({ ...NO_FIGURES, restsUntil }), dataDiscount: 0, now: NOW }),
  );
const models = shown();
const named = (id: string) => models.find((model) => model.id === id)!;

function asked(sent: Record<string, string>): ModelChoice {
  const { offset: _, limit: __, ...choice } = query({ query: sent }, modelListQuery);
  return choice;
}
const ids = (sent: Record<string, string>) => chosenModels(models, asked(sent), NOW).map(({ id }) => id);
const all = models.map(({ id }) => id);

describe('the models that a query asks for', () => {
  test.each<[Record<string, string>, (id: string) => boolean]>([
    [{}, () => true],
    [{ output_modalities: 'all' }, () => true],
    [{ output_modalities: 'text, video' }, () => true],
    [{ output_modalities: 'text' }, () => false],
    [{ q: 'VEO-3.1' }, (id) => id.startsWith('google/veo-3.1')],
    [{ model_authors: 'x-ai,minimax' }, (id) => /^(x-ai|minimax)\//.test(id)],
    [
      { providers: 'wavespeed' },
      (id) => named(id).endpoints.some(({ provider }) => provider === 'wavespeed'),
    ],
    [
      { input_modalities: 'video' },
      (id) => listedModel(named(id)).architecture.input_modalities.includes('video'),
    ],
    [
      { supported_parameters: 'seed,generate_audio' },
      (id) => named(id).seed && named(id).endpoints.some(({ audio }) => audio === 'toggle'),
    ],
    [{ max_age_days: '30' }, (id) => NOW.getTime() / 1000 - named(id).created <= 30 * DAY],
    [{ min_age_days: '30' }, (id) => NOW.getTime() / 1000 - named(id).created >= 30 * DAY],
  ])('are those of %j', (sent, isAsked) => {
    expect(ids(sent)).toEqual(all.filter(isAsked));
  });

  test('are some of all where a query narrows', () => {
    const narrowing = [
      { input_modalities: 'audio' },
      { supported_parameters: 'previous_job_id' },
      { max_age_days: '30' },
    ];
    for (const sent of narrowing) {
      expect(ids(sent).length).toBeGreaterThan(0);
      expect(ids(sent).length).toBeLessThan(all.length);
    }
  });

  test.each([
    ['newest', ({ created }: { created: number }) => -created],
    [
      'pricing-low-to-high',
      (model: { pricing_skus: Record<string, string> }) => Number(model.pricing_skus.duration_seconds),
    ],
    [
      'pricing-high-to-low',
      (model: { pricing_skus: Record<string, string> }) => -Number(model.pricing_skus.duration_seconds),
    ],
  ])('can be sorted: %s', (sort, rank) => {
    const ranks = ids({ sort }).map((id) => rank(named(id)));
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    expect(new Set(ranks).size).toBeGreaterThan(1);
  });

  test('come as they are in an order of text', () => {
    expect(ids({ sort: 'intelligence-high-to-low' })).toEqual(all);
  });

  test.each([{ sort: 'oldest' }, { limit: '0' }, { limit: '1001' }, { offset: '-1' }])(
    '%j is refused',
    (sent) => {
      expect(() => query({ query: sent }, modelListQuery)).toThrow(expect.objectContaining({ status: 400 }));
    },
  );
});

describe('an endpoint of a model', () => {
  test('says what it alone does and costs', () => {
    const [standard] = modelEndpoints(named('kling/3.0-standard')).endpoints;
    expect(standard).toMatchObject({
      model_id: 'kling/3.0-standard',
      status: 0,
      pricing: { completion: '0' },
    });
    const tags = models.flatMap((model) => modelEndpoints(model).endpoints.map(({ tag }) => tag));
    expect(tags.toSorted()).toEqual(
      allOffers()
        .map(({ id }) => id)
        .toSorted(),
    );
    const extending = modelEndpoints(named('bytedance/seedance-2.5')).endpoints.filter(
      ({ supported_parameters: fields }) => fields.includes('previous_job_id'),
    );
    expect(extending.map(({ tag }) => tag)).toEqual(['byteplus/seedance-2.5']);
  });

  test('does not answer while it rests', () => {
    const [resting] = shown(NOW.getTime() + 1);
    expect(modelEndpoints(resting!).endpoints.map(({ status }) => status)).toEqual([-1]);
  });
});
