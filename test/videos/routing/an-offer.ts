import fc from 'fast-check';
import { validate } from '../../../functions/http/validation.ts';
import { micros } from '../../../functions/money/micros.ts';
import { findOffer } from '../../../functions/videos/catalogue/catalogue.ts';
import type { Offer } from '../../../functions/videos/catalogue/offer.ts';
import { type VideoRequest, videoRequestSchema } from '../../../functions/videos/catalogue/video-request.ts';
import type { Circumstances } from '../../../functions/videos/routing/choose.ts';
import { NO_FIGURES } from '../../../functions/videos/routing/figures.ts';

const sandbox = findOffer('sandbox/clip-1')!;

/** An offer of `acme/fox` at the provider with this name. @param change the fields that a test sets */
export const anOffer = (provider: string, change: Partial<Offer> = {}): Offer => ({
  ...sandbox,
  id: `${provider}/fox`,
  model: 'acme/fox',
  provider,
  ...change,
});

export const priced = (price: number) => ({
  price_per_second: { silent: micros(price), with_audio: micros(price) },
});

export const aRequest = (fields: Record<string, unknown> = {}): VideoRequest =>
  validate(videoRequestSchema, { model: 'acme/fox', prompt: 'A fox', ...fields });

export const NOW = new Date('2026-11-21T00:00:00Z');

/** Nothing is known about the offers, and all keys are the deployment's own. */
export const nothingKnown: Circumstances = {
  usualSort: 'price',
  figuresOf: () => NO_FIGURES,
  accountsOf: () => [{ isByok: false, turn: 'usual' }],
  dataDiscount: 0,
  now: NOW,
};

const some = <T>(...values: T[]) => fc.subarray(values, { minLength: 1 });

const abilities = fc.record({
  durations: some(2, 4, 6, 8),
  resolutions: some('480p' as const, '720p' as const, '1080p' as const),
  aspect_ratios: some('16:9' as const, '9:16' as const),
  frame_images: fc.subarray(['first_frame' as const, 'last_frame' as const]),
  input_references: fc.subarray(['image' as const, 'audio' as const, 'video' as const]),
  seed: fc.boolean(),
  audio: fc.constantFrom('always' as const, 'toggle' as const, 'never' as const),
  price: fc.integer({ min: 1, max: 1000 }),
  quality: fc.nat(3),
  typical_seconds: fc.option(fc.integer({ min: 1, max: 500 }), { nil: undefined }),
});

/** Up to eight offers with different abilities, at up to four providers. */
export const offers = fc
  .array(fc.tuple(fc.constantFrom('one', 'two', 'three', 'four'), abilities), { minLength: 1, maxLength: 8 })
  .map((rows) =>
    rows.map(([provider, { price, typical_seconds, ...able }], index) =>
      anOffer(provider, {
        ...able,
        ...priced(price),
        ...(typical_seconds === undefined ? {} : { typical_seconds }),
        id: `${provider}/fox-${index}`,
        default_duration: able.durations[0]!,
        default_resolution: able.resolutions[0]!,
        default_aspect_ratio: able.aspect_ratios[0]!,
      }),
    ),
  );

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const names = fc.subarray(['one', 'two', 'three', 'four']);
const url = { url: 'https://a.example/1' };

export const requests = fc
  .record({
    duration: maybe(fc.constantFrom(2, 4, 6, 8, 9)),
    resolution: maybe(fc.constantFrom('480p', '720p', '1080p', '4K')),
    aspect_ratio: maybe(fc.constantFrom('16:9', '9:16', '1:1')),
    generate_audio: maybe(fc.boolean()),
    seed: maybe(fc.nat()),
    frames: fc.subarray(['first_frame', 'last_frame']),
    references: fc.array(fc.constantFrom('image', 'audio', 'video'), { maxLength: 3 }),
    provider: fc.record(
      {
        order: names,
        only: fc.subarray(['one', 'two', 'three', 'four'], { minLength: 2 }),
        ignore: names,
        sort: fc.constantFrom('price', 'latency', 'throughput', 'exacto'),
        max_price: fc.integer({ min: 0, max: 6000 }).map((micros) => micros / 1_000_000),
        allow_fallbacks: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ frames, references, ...fields }) =>
    aRequest({
      ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
      frame_images: frames.map((frame_type) => ({ type: 'image_url', image_url: url, frame_type })),
      input_references: references.map((kind) => ({ type: `${kind}_url`, [`${kind}_url`]: url })),
    }),
  );
