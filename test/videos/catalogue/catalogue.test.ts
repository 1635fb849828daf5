import { describe, expect, test } from '@jest/globals';
import { allOffers, bundledCatalogue } from '../../../functions/videos/catalogue/catalogue.ts';
import { describeModel } from '../../../functions/videos/catalogue/model-view.ts';
import { priceOf } from '../../../functions/videos/catalogue/price.ts';
import { offerFault } from '../../../functions/videos/providers/dialects.ts';
import { NO_FIGURES } from '../../../functions/videos/routing/figures.ts';
import { aJob } from '../jobs/job-fixture.ts';

const rows = allOffers().map((model) => [model.id, model] as const);

describe('the row of', () => {
  test.each(rows)('%s has an adapter that knows its dialect', (_, model) => {
    expect(offerFault(model, {})).toBeUndefined();
  });

  test.each(rows)('%s passes no option through that has its own field, a price or a callback', (_, model) => {
    const forbidden =
      /^(model|prompt|duration|seconds|size|width|height|resolution|ratio|n|num_.*|callback.*|webhook.*)$/;
    expect(model.passthrough.filter((name) => forbidden.test(name))).toEqual([]);
  });
});

describe('the models that are asked for most', () => {
  test.each([
    ['google/gemini-omni-1.2-flash', 2],
    ['google/gemini-omni-1.1-flash', 2],
    ['bytedance/seedance-2.5', 4],
    ['kling/3.0-standard', 3],
    ['kling/3.0-pro', 3],
    ['kling/3.0-4k', 2],
    ['kling/3.0-turbo', 1],
    ['google/veo-3.1-lite', 2],
    ['alibaba/wan-3.0', 3],
    ['alibaba/wan-3.0-prime', 2],
    ['kling/4.0', 2],
    ['x-ai/grok-imagine-video-1.5', 2],
  ])('%s is at %i providers or more', (model, least) => {
    const providers = new Set(bundledCatalogue.model(model)?.offers.map(({ provider }) => provider));
    expect(providers.size).toBeGreaterThanOrEqual(least);
  });
});

describe('a price', () => {
  const veo = allOffers().find(({ id }) => id === 'fal/veo-3.1')!;
  const shownBy = (dataDiscount: number) => ({
    figuresOf: () => NO_FIGURES,
    dataDiscount,
    now: new Date(0),
  });
  const asked = { ...aJob().request, duration_seconds: 8 };

  test.each([
    [1280, 720, false, 1_600_000],
    [1280, 720, true, 3_200_000],
    [1080, 1920, true, 3_200_000],
    [3840, 2160, false, 3_200_000],
    [3840, 2160, true, 4_800_000],
  ])('of 8 seconds at %ix%i, with sound: %s, is %i', (width, height, generate_audio, micros) => {
    expect(priceOf({ ...asked, width, height, generate_audio }, veo)).toBe(micros);
  });

  test('is shown for each resolution that has its own', () => {
    const model = { id: veo.id, offers: [veo] };
    expect(describeModel(model, shownBy(0)).pricing_skus).toEqual({
      duration_seconds: '0.2',
      duration_seconds_with_audio: '0.4',
      duration_seconds_4K: '0.4',
      duration_seconds_with_audio_4K: '0.6',
    });
  });

  test('is shown for the tokens of prompts, where these are billed', () => {
    const omni = allOffers().find(({ id }) => id === 'gemini/omni-1.2-flash')!;
    expect(describeModel({ id: omni.id, offers: [omni] }, shownBy(0)).pricing_skus).toMatchObject({
      duration_seconds: '0.069504',
      prompt_tokens: '0.0000015',
      thought_tokens: '0.000009',
    });
  });

  test('is shown for the video that is gone on with, and so is what comes of it', () => {
    const grok = allOffers().find(({ id }) => id === 'x-ai/grok-imagine-video')!;
    const shown = describeModel({ id: grok.id, offers: [veo, grok] }, shownBy(0));
    expect(shown.pricing_skus).toMatchObject({ video_reference_seconds: '0.01' });
    expect(shown.supported_continuations).toEqual(['extend', 'edit']);
    expect(shown.endpoints.map(({ continuations }) => continuations?.extend)).toEqual([
      undefined,
      { source_seconds: { least: 2, most: 15 }, includes_source: true },
    ]);
  });

  test('is shown with the discount for data logging, if there is one', () => {
    const model = { id: veo.id, offers: [veo] };
    expect(describeModel(model, shownBy(0))).not.toHaveProperty('data_discount');
    expect(describeModel(model, shownBy(0.1))).toMatchObject({
      data_discount: 0.1,
      pricing_skus: { duration_seconds: '0.2' },
    });
  });
});

test('a provider that rests is shown with the end of its rest', () => {
  const [offer] = allOffers();
  const model = { id: offer!.id, offers: [offer!] };
  const shownAt = (now: number) =>
    describeModel(model, {
      figuresOf: () => ({ ...NO_FIGURES, restsUntil: 60_000 }),
      dataDiscount: 0,
      now: new Date(now),
    }).endpoints[0];
  expect(shownAt(59_999)).toMatchObject({ status: 'resting', resting_until: '1970-01-01T00:01:00.000Z' });
  expect(shownAt(60_000)).toMatchObject({ status: 'available', resting_until: undefined });
});
