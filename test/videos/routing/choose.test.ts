import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InvalidRequest } from '../../../functions/http/errors.ts';
import { misfitOf } from '../../../functions/videos/catalogue/fit.ts';
import { formatOf } from '../../../functions/videos/catalogue/frame-size.ts';
import type { Offer } from '../../../functions/videos/catalogue/offer.ts';
import { priceOf } from '../../../functions/videos/catalogue/price.ts';
import type { VideoRequest } from '../../../functions/videos/catalogue/video-request.ts';
import { type Circumstances, choose } from '../../../functions/videos/routing/choose.ts';
import { type Figures, NO_FIGURES } from '../../../functions/videos/routing/figures.ts';
import { anOffer, aRequest, NOW, priced } from './an-offer.ts';

/** Nothing is known about the offers, and all keys are the deployment's own. */
const nothingKnown: Circumstances = {
  usualSort: 'price',
  figuresOf: () => NO_FIGURES,
  accountsOf: () => [{ isByok: false, turn: 'usual' }],
  dataDiscount: 0,
  now: NOW,
};

const chosen = (request: VideoRequest, all: readonly Offer[], change: Partial<Circumstances> = {}) =>
  choose(request, { id: 'acme/fox', offers: all }, { ...nothingKnown, ...change });

const order = (...args: Parameters<typeof chosen>) => chosen(...args).candidates.map(({ offer }) => offer.id);

function unlessNobodyCan<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof InvalidRequest) return undefined;
    throw error;
  }
}

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
const offers = fc
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

const requests = fc
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

const figures = fc
  .array(
    fc.record({
      latencySeconds: fc.integer({ min: 1, max: 500 }),
      throughput: fc.double({ min: 0.01, max: 4, noNaN: true }),
      restsUntil: fc.constantFrom(0, NOW.getTime() + 1),
    }),
    { minLength: 8, maxLength: 8 },
  )
  .map(
    (all) =>
      (offer: Offer): Figures => ({
        samples: 10,
        ...all[Number(offer.id.split('-')[1])]!,
      }),
  );

describe('the chosen offer', () => {
  test('supports exactly the request, and so do all its fallbacks', () => {
    let choices = 0;
    fc.assert(
      fc.property(requests, offers, figures, (request, all, figuresOf) => {
        const choice = unlessNobodyCan(() => chosen(request, all, { figuresOf }));
        if (choice === undefined) return;
        choices++;
        const { video, candidates } = choice;
        const { resolution, aspectRatio } = formatOf(video.width, video.height);
        if (request.duration !== undefined) expect(video.duration_seconds).toBe(request.duration);
        if (request.resolution !== undefined) expect(resolution).toBe(request.resolution);
        if (request.aspect_ratio !== undefined) expect(aspectRatio).toBe(request.aspect_ratio);
        if (request.generate_audio !== undefined) expect(video.generate_audio).toBe(request.generate_audio);
        expect(video.seed).toBe(request.seed);
        const exact: VideoRequest = {
          ...request,
          resolution,
          aspect_ratio: aspectRatio,
          duration: video.duration_seconds,
          generate_audio: video.generate_audio,
        };
        for (const { offer, estimateMicros } of candidates) {
          const takesAll = video.input_references.every(({ kind }) =>
            offer.input_references.some((each) => each === kind),
          );
          expect([misfitOf(exact, offer), takesAll, estimateMicros]).toStrictEqual([
            undefined,
            true,
            priceOf(video, offer),
          ]);
        }
      }),
      { numRuns: 2_000, seed: 1 },
    );
    expect(choices).toBeGreaterThan(200);
  });

  test('is allowed by the caller, at a price that the caller accepts', () => {
    fc.assert(
      fc.property(requests, offers, (request, all) => {
        const choice = unlessNobodyCan(() => chosen(request, all));
        const { only, ignore, max_price: most = Number.MAX_VALUE, allow_fallbacks } = request.provider;
        for (const { offer, estimateMicros } of choice?.candidates ?? []) {
          const isAllowed = only === undefined || only.includes(offer.provider);
          const isIgnored = ignore.includes(offer.provider);
          expect([isAllowed, isIgnored, estimateMicros <= most]).toEqual([true, false, true]);
        }
        if (!allow_fallbacks) expect(choice?.candidates.length ?? 1).toBe(1);
      }),
      { numRuns: 1_000, seed: 2 },
    );
  });

  test('is the same for equal requests with equal figures', () => {
    fc.assert(
      fc.property(requests, offers, figures, (request, all, figuresOf) => {
        const once = unlessNobodyCan(() => chosen(request, all, { figuresOf }));
        const again = unlessNobodyCan(() =>
          chosen(structuredClone(request), structuredClone(all), { figuresOf }),
        );
        expect(again).toEqual(once);
      }),
      { numRuns: 500, seed: 3 },
    );
  });

  test('is missing only if each offer lacks something or is not allowed', () => {
    fc.assert(
      fc.property(requests, offers, (request, all) => {
        const open: VideoRequest = { ...request, provider: { ...request.provider, ignore: [] } };
        delete open.provider.only;
        delete open.provider.max_price;
        const isPossible = all.some((offer) => misfitOf(open, offer) === undefined);
        expect(unlessNobodyCan(() => chosen(open, all)) !== undefined).toBe(isPossible);
      }),
      { numRuns: 500, seed: 4 },
    );
  });
});

const cheap = anOffer('cheap', { ...priced(10), typical_seconds: 90, quality: 1 });
const fast = anOffer('fast', { ...priced(30), typical_seconds: 20, quality: 2 });
const good = anOffer('good', { ...priced(20), typical_seconds: 40, quality: 3 });
const all = [cheap, fast, good];

describe('the order', () => {
  test.each([
    ['price', ['cheap/fox', 'good/fox', 'fast/fox']],
    ['latency', ['fast/fox', 'good/fox', 'cheap/fox']],
    ['throughput', ['fast/fox', 'good/fox', 'cheap/fox']],
    ['exacto', ['good/fox', 'fast/fox', 'cheap/fox']],
  ] as const)('by %s', (sort, expected) => {
    expect(order(aRequest({ provider: { sort } }), all)).toEqual(expected);
    expect(order(aRequest(), all, { usualSort: sort })).toEqual(expected);
  });

  test('is by price by default', () => {
    expect(order(aRequest(), all)[0]).toBe('cheap/fox');
  });

  test('is that of the request, not the workspace’s, if the request names a sort', () => {
    expect(order(aRequest({ provider: { sort: 'exacto' } }), all, { usualSort: 'latency' })[0]).toBe(
      'good/fox',
    );
  });

  test('begins with the offers that the caller names, in that order, then follows the sort', () => {
    const provider = { order: ['fast/fox', 'good'], sort: 'price' };
    expect(order(aRequest({ provider }), all)).toEqual(['fast/fox', 'good/fox', 'cheap/fox']);
    expect(order(aRequest({ provider: { order: ['good'] } }), all)).toEqual([
      'good/fox',
      'cheap/fox',
      'fast/fox',
    ]);
  });

  test('follows what was measured rather than the catalogue', () => {
    const figuresOf = ({ provider }: Offer): Figures =>
      provider === 'cheap' ? { samples: 9, latencySeconds: 5, throughput: 2, restsUntil: 0 } : NO_FIGURES;
    for (const sort of ['latency', 'throughput'] as const) {
      expect(order(aRequest({ provider: { sort } }), all, { figuresOf })[0]).toBe('cheap/fox');
    }
  });

  test('ends with offers without figures', () => {
    const { typical_seconds: _, ...unknown } = anOffer('unknown', { ...cheap, id: 'unknown/fox' });
    expect(order(aRequest({ provider: { sort: 'latency' } }), [unknown, ...all]).at(-1)).toBe('unknown/fox');
  });

  test('ends with offers whose circuit is open, only as long as it is open', () => {
    const resting = (until: number) => ({
      figuresOf: ({ provider }: Offer): Figures =>
        provider === 'cheap' ? { samples: 0, restsUntil: until } : NO_FIGURES,
    });
    const named = aRequest({ provider: { order: ['cheap'] } });
    expect(order(named, all, resting(NOW.getTime() + 1)).at(-1)).toBe('cheap/fox');
    expect(order(named, all, resting(NOW.getTime()))[0]).toBe('cheap/fox');
  });

  test('begins with the workspace’s own accounts', () => {
    const accountsOf: Circumstances['accountsOf'] = ({ provider }) =>
      provider === 'fast'
        ? [
            { isByok: true, turn: 'first' },
            { isByok: false, turn: 'usual' },
          ]
        : [{ isByok: provider === 'cheap', turn: provider === 'cheap' ? 'last' : 'usual' }];
    const { candidates } = chosen(aRequest(), all, { accountsOf });
    expect(candidates.map(({ offer, isByok }) => [offer.provider, isByok])).toEqual([
      ['fast', true],
      ['good', false],
      ['fast', false],
      ['cheap', true],
    ]);
  });
});

describe('a field that the request leaves open', () => {
  const short = anOffer('short', { default_duration: 2, default_resolution: '360p' });
  const long = anOffer('long', { ...priced(1), default_duration: 8 });

  test('is settled by the first offer of the catalogue, whichever serves', () => {
    const { video, candidates } = chosen(aRequest(), [short, long]);
    expect(video).toMatchObject({ duration_seconds: 2, width: 640, height: 360 });
    expect(candidates[0].offer.id).toBe('long/fox');
  });

  test('is settled by the first that supports the rest', () => {
    const limited = { ...short, durations: [2] };
    expect(chosen(aRequest({ duration: 3 }), [limited, long]).video).toMatchObject({ height: 480 });
  });

  test('is not settled by an offer without an account, if another supports the rest', () => {
    const keyless = anOffer('keyless', { durations: [8], default_duration: 8 });
    const able = anOffer('able', { durations: [5], default_duration: 5 });
    const accountsOf: Circumstances['accountsOf'] = ({ provider }) =>
      provider === 'keyless' ? [{ isByok: true, turn: 'never' }] : [{ isByok: false, turn: 'usual' }];
    const { video, candidates } = chosen(aRequest(), [keyless, able], { accountsOf });
    expect(video.duration_seconds).toBe(5);
    expect(candidates.map(({ offer }) => offer.id)).toEqual(['able/fox']);
    // Only the offer without an account supports 8 s, so it is chosen. The job's error then says why it cannot be
    // done there.
    const only = chosen(aRequest({ duration: 8 }), [keyless, able], { accountsOf });
    expect(only.candidates).toMatchObject([{ isByok: true, turn: 'never', offer: { id: 'keyless/fox' } }]);
  });

  test('is sent with the options of the offer that serves', () => {
    const options = { long: { latency_s: 1 }, other: { secret: 1 } };
    expect(chosen(aRequest({ provider: { options } }), [short, long]).video.options).toEqual({
      latency_s: 1,
    });
    const only = ['short'];
    expect(chosen(aRequest({ provider: { options, only } }), [short, long]).video.options).toEqual({});
  });
});

describe('references', () => {
  const image = { type: 'image_url', image_url: { url: 'https://a.example/1.png' } };
  const audio = { type: 'audio_url', audio_url: { url: 'https://a.example/1.mp3' } };
  const none = anOffer('none', { ...priced(1), input_references: [] });
  const images = anOffer('images', { ...priced(2), input_references: ['image'] });
  const both = anOffer('both', { ...priced(3), input_references: ['image', 'audio'] });

  test.each([
    [[image, audio], [none, images, both], ['both/fox']],
    [[image], [none, images, both], ['images/fox', 'both/fox']],
    [[image, audio], [none, images], ['images/fox']],
    [[audio], [none, images], ['none/fox', 'images/fox']],
  ])('are passed on as far as any endpoint supports them', (input_references, available, expected) => {
    expect(order(aRequest({ input_references }), available)).toEqual(expected);
  });
});

describe('a request that no offer supports', () => {
  const mute = anOffer('mute', { audio: 'never' });
  const brief = anOffer('brief', { durations: [1, 2], default_duration: 1, audio: 'always' });

  test.each([
    [
      'says what each offer lacks',
      { duration: 4, generate_audio: true },
      [mute, brief],
      /^model: no endpoint of acme\/fox supports this request\. generate_audio: true is not supported by mute\/fox; supported: false\. duration: 4 is not supported by brief\/fox; supported: 1, 2$/,
    ],
    [
      'says it once if all offers lack the same',
      { duration: 99 },
      all,
      /^duration: 99 is not supported by acme\/fox; supported: 1 to 15$/,
    ],
    [
      'names the offers that are left, not the model',
      { duration: 4, provider: { only: ['brief'] } },
      [mute, brief],
      /^duration: 4 is not supported by brief\/fox; supported: 1, 2$/,
    ],
    [
      'names all offers that are left',
      { duration: 4, provider: { ignore: ['mute'] } },
      [mute, brief, { ...brief, id: 'brief/owl' }],
      /^duration: 4 is not supported by brief\/fox or brief\/owl; supported: 1, 2$/,
    ],
    [
      'says what each offer that is left lacks',
      { duration: 4, generate_audio: true, provider: { ignore: ['other'] } },
      [mute, brief],
      /^model: no allowed endpoint of acme\/fox supports this request\. generate_audio: /,
    ],
    [
      'names the existing offers',
      { provider: { only: ['mute'] } },
      [brief],
      /^provider\.only: leaves no endpoint of acme\/fox, which is served by brief$/,
    ],
    [
      'names a provider of several offers once',
      { provider: { only: ['mute'] } },
      [brief, { ...brief, id: 'brief/owl' }],
      /^provider\.only: leaves no endpoint of acme\/fox, which is served by brief$/,
    ],
    [
      'names the ignored offers',
      { provider: { ignore: ['brief'] } },
      [brief],
      /^provider\.ignore: leaves no endpoint of acme\/fox, which is served by brief$/,
    ],
    [
      'names the offers that are ignored of those asked for',
      { provider: { only: ['brief'], ignore: ['brief'] } },
      [mute, brief],
      /^provider\.ignore: leaves no endpoint of acme\/fox that provider\.only allows$/,
    ],
    [
      'says what the request would cost',
      { provider: { max_price: 0.000039 } },
      all,
      /^provider\.max_price: \$0\.000039 is too low; at the cheapest endpoint, this job may cost \$0\.00004$/,
    ],
  ])('%s', (_, fields, available, message) => {
    expect(() => chosen(aRequest(fields), available)).toThrow(message);
  });

  test.each([
    [{ duration: 99 }, all, /^duration: 99 is not supported by cheap\/fox or fast\/fox or good\/fox; /],
    [
      { duration: 4, generate_audio: true },
      [mute, brief],
      /^model: no allowed endpoint of acme\/fox supports this request\. /,
    ],
  ])('names the offers that a guardrail has left, not the model: %j', (fields, left, message) => {
    expect(() => chosen(aRequest(fields), left, { isWhole: false })).toThrow(message);
  });

  test('is allowed at exactly its maximum price', () => {
    expect(order(aRequest({ provider: { max_price: 0.00004 } }), all)).toEqual(['cheap/fox']);
    expect(order(aRequest({ provider: { max_price: { request: 0.00008 } } }), all)).toHaveLength(2);
  });
});

describe('an endpoint whose videos have the shape of their first frame', () => {
  const follows = anOffer('one', { with_inputs: { first_frame: { aspect_ratios: [] } } });
  const shapes = anOffer('two');
  const frame = {
    type: 'image_url',
    image_url: { url: 'https://a.example/1.png' },
    frame_type: 'first_frame',
  };
  const frame_images = [frame];

  test('stays a candidate where no shape is asked for, and no longer where one is', () => {
    expect(order(aRequest({ frame_images }), [follows, shapes])).toEqual(['one/fox', 'two/fox']);
    expect(order(aRequest({ frame_images, size: '1280x720' }), [follows, shapes])).toEqual(['two/fox']);
  });
});
