import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import { defined } from '../../../functions/defined.ts';
import { allOffers, findOffer } from '../../../functions/videos/catalogue/catalogue.ts';
import { CONTINUATIONS } from '../../../functions/videos/catalogue/continuation.ts';
import { misfitOf, withDefaults } from '../../../functions/videos/catalogue/fit.ts';
import { formatOf } from '../../../functions/videos/catalogue/frame-size.ts';
import { durationsOf, type Offer, offerSchema } from '../../../functions/videos/catalogue/offer.ts';
import {
  chargeForSeconds,
  chargeForTokens,
  priceOf,
  pricesSchema,
  tariffOf,
} from '../../../functions/videos/catalogue/price.ts';
import type { RequestedVideo } from '../../../functions/videos/catalogue/requested-video.ts';
import { aRequest } from '../routing/an-offer.ts';

const prices = (table: object) => v.parse(pricesSchema, { silent: 10, with_audio: 20, ...table });
const reference = <Kind extends string>(kind: Kind) => ({ kind, url: 'https://a.example/1' });

function aVideo(change: Partial<RequestedVideo> = {}): RequestedVideo {
  return {
    prompt: 'A fox',
    width: 1280,
    height: 720,
    duration_seconds: 6,
    generate_audio: false,
    frame_images: [],
    input_references: [],
    options: {},
    ...change,
  };
}
const clips = (count = 1) => ({ input_references: Array.from({ length: count }, () => reference('video')) });
const known = (kind: 'video' | 'extend') => ({ input_references: [{ ...reference(kind), seconds: 4.2 }] });
const images = (count: number) => ({
  input_references: Array.from({ length: count }, () => reference('image')),
});

const TEXT = { input: 2, thought: 3, image_tokens: 100, thought_tokens: 10 };

describe('what a submit holds', () => {
  const byResolution = { by_resolution: { '720p': { silent: 30, with_audio: 40 } } };
  test.each([
    ['a silent second', {}, {}, 60],
    ['a second with sound', {}, { generate_audio: true }, 120],
    ['a second at its resolution', byResolution, {}, 180],
    ['a second of another resolution', byResolution, { width: 854, height: 480 }, 60],
    ['a clip that costs nothing', {}, clips(), 60],
    ['a second with a clip', { with_clip: { silent: 7, with_audio: 8 } }, clips(), 42],
    ['no clip', { with_clip: { silent: 7, with_audio: 8 } }, images(1), 60],
    ['the longest clips', { clip_seconds: { most: 15 } }, clips(3), 210],
    ['clips as long as the video leaves', { clip_seconds: { most: 15, with_output: 10 } }, clips(), 100],
    ['clips that leave nothing', { clip_seconds: { most: 15, with_output: 5 } }, clips(), 60],
    ['clips that count as longer', { clip_seconds: { most: 1, least_thirds: 2 } }, clips(), 100],
    ['a clip of known length', { clip_seconds: { most: 15 } }, known('video'), 60 + 5 * 10],
    ['the second of a clip', { clip_seconds: { most: 15, price: 3 } }, clips(), 60 + 15 * 3],
    ['a source of known length', { clip_seconds: { most: 15, price: 3 } }, known('extend'), 60 + 5 * 3],
    ['a source that costs nothing', {}, known('extend'), 60],
    ['images from the first on', { images: { price: 5 } }, images(2), 70],
    ['images after the second', { images: { price: 5, free: 2 } }, images(3), 65],
    ['as few images as are free', { images: { price: 5, free: 2 } }, images(1), 60],
    [
      'frames like images',
      { images: { price: 5 } },
      { frame_images: [{ frame_type: 'first_frame' as const, url: 'https://a.example/1' }] },
      65,
    ],
    ['at least the least', { least: 1000 }, {}, 1000],
    ['the price of seconds, whatever tokens cost', { tokens: { silent: 99, with_audio: 99 } }, {}, 60],
    ['the bytes of the prompt, and thoughts', { text: TEXT }, { prompt: 'Füchse' }, 60 + 7 * 2 + 10 * 3],
    ['the tokens of images', { text: TEXT }, images(2), 60 + 5 * 2 + 10 * 3 + 2 * 100 * 2],
  ])('is %s', (_, table, change, held) => {
    expect(priceOf(aVideo(change), { price_per_second: prices(table) })).toBe(held);
  });
});

describe('the price of a token', () => {
  const tokens = { silent: 1.2, with_audio: 2.4, by_resolution: { '720p': { silent: 3, with_audio: 3 } } };
  const table = prices({ tokens: { ...tokens, with_clip: { silent: 0.6, with_audio: 0.7 } } });
  test.each([
    [{ width: 854, height: 480 }, 1.2],
    [{ width: 854, height: 480, generate_audio: true }, 2.4],
    [{}, 3],
    [clips(), 0.6],
    [{ ...clips(), generate_audio: true }, 0.7],
  ])('of %j is %d', (change, price) => {
    expect(tariffOf(aVideo(change), table).token).toBe(price);
  });

  test('is nowhere where the vendor counts none', () => {
    expect(tariffOf(aVideo(), prices({}))).not.toHaveProperty('token');
    expect(chargeForTokens({}, { video: 1000 })).toBeUndefined();
  });

  test('is nowhere where it has counted none for a video', () => {
    expect(chargeForTokens({ token: 2 }, { video: 0, input: 100 })).toBeUndefined();
  });
});

describe('a row of an older version', () => {
  const { price_per_second, ...seedance } = findOffer('bytedance/seedance-1.5-pro')!;
  const { tokens: _, ...seconds } = price_per_second;
  const old = (dialect: object) => v.parse(offerSchema, { ...seedance, price_per_second: seconds, dialect });

  test('has its prices of tokens read from its dialect', () => {
    const row = old({ token_price_silent: 7, token_price_with_audio: 8, token_price_from_video: 4.3 });
    expect(row.dialect).toEqual({});
    expect(row.price_per_second).toEqual({
      ...seconds,
      tokens: { silent: 7, with_audio: 8, with_clip: { silent: 4.3, with_audio: 4.3 } },
    });
    expect(old({ token_price_with_audio: 8 }).price_per_second.tokens).toEqual({ silent: 0, with_audio: 8 });
  });

  test('stays as it is without any', () => {
    expect(old({}).price_per_second).toEqual(seconds);
  });
});

/** The sizes of BytePlus’s videos, by the price list; the dearest of a resolution has the most pixels. */
const PIXELS: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  '480p': [
    [992, 432],
    [864, 496],
    [854, 480],
    [752, 560],
    [640, 640],
  ],
  '720p': [
    [1470, 630],
    [1280, 720],
    [1112, 834],
    [960, 960],
  ],
  '1080p': [
    [2206, 946],
    [1920, 1080],
    [1664, 1248],
    [1440, 1440],
  ],
};

/** The tokens of a second of Gemini Omni’s videos, by the price list. */
const OMNI_TOKENS: Readonly<Record<string, number>> = {
  '360p': 1931,
  '720p': 5792,
  '1080p': 8688,
  '4K': 17_376,
};

interface Metered {
  readonly offer: Offer;
  readonly video: RequestedVideo;
  /** The length of what is made. */
  readonly made: number;
  /** The length of each clip, and of the video that is gone on with. */
  readonly lengths: readonly number[];
  /** Between 0 and 1; chooses the shape of the video. */
  readonly shape: number;
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
const resolutionOf = ({ width, height }: RequestedVideo) => formatOf(width, height).resolution;

/** What each vendor that counts for itself bills in micro-dollars by its own formula, and what we charge for its count. */
const METERS: Readonly<Record<string, (metered: Metered) => { bill: number; charge: number | undefined }>> = {
  byteplus({ offer, video, made, lengths, shape }) {
    const seconds =
      lengths.length === 0 ? made : Math.max(made + sum(lengths), made + Math.ceil((2 * made) / 3));
    const sizes = PIXELS[resolutionOf(video)] ?? [];
    const [width, height] = sizes[Math.floor(shape * sizes.length)] ?? [0, 0];
    const tokens = Math.round((seconds * width * height * 24) / 1024);
    const tariff = tariffOf(video, offer.price_per_second);
    return { bill: tokens * (tariff.token ?? 0), charge: chargeForTokens(tariff, { video: tokens }) };
  },
  gemini({ offer, video, shape }) {
    const tariff = tariffOf(video, offer.price_per_second);
    const made = video.duration_seconds * (OMNI_TOKENS[resolutionOf(video)] ?? 0);
    const images = [...video.frame_images, ...video.input_references].length;
    const input = Math.round(shape * (Buffer.byteLength(video.prompt) + images * 1120));
    const thoughts = Math.round(shape * 8192);
    const price = offer.upstream === 'gemini-omni-1.2-flash' ? 12 : 17.5;
    const bill = made * price + input * 1.5 + thoughts * 9;
    return { bill, charge: chargeForTokens(tariff, { video: made, input, thoughts }) };
  },
  xai({ offer, video, made, lengths }) {
    const { second, fixed } = tariffOf(video, offer.price_per_second);
    return { bill: made * second + fixed + 10_000 * sum(lengths), charge: undefined };
  },
  minimax({ offer, video, lengths }) {
    const tariff = tariffOf(video, offer.price_per_second);
    const billed = video.duration_seconds + sum(lengths.map(Math.ceil));
    const given =
      video.frame_images.length + video.input_references.filter(({ kind }) => kind === 'image').length;
    const bill = billed * tariff.second + 40_000 * Math.max(0, given - 5);
    return { bill, charge: chargeForSeconds(tariff, billed) };
  },
  dashscope({ offer, video, lengths }) {
    const tariff = tariffOf(video, offer.price_per_second);
    const seconds = video.duration_seconds + sum(lengths);
    return { bill: seconds * tariff.second, charge: chargeForSeconds(tariff, seconds) };
  },
  /** An edit is billed by the whole seconds that are nearest to the length of its source. */
  kling({ offer, video, made }) {
    return { bill: Math.round(made) * tariffOf(video, offer.price_per_second).second, charge: undefined };
  },
  runway({ offer, video, made }) {
    const { second, fixed, least } = tariffOf(video, offer.price_per_second);
    return { bill: Math.max(least, second * made + fixed), charge: undefined };
  },
};

/** Those that count nothing themselves bill what was asked for. */
function asAsked({ offer, video }: Metered) {
  const { second, fixed, least } = tariffOf(video, offer.price_per_second);
  return { bill: Math.max(least, second * video.duration_seconds + fixed), charge: undefined };
}

const RUNS = Number(process.env.PRICE_RUNS ?? 3000);
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const among = <T>(values: readonly T[], at: number): T | undefined => values[Math.floor(at * values.length)];

/** How long all clips of a request may be together, by the vendors' pages. */
const longestClips = ({ upstream }: Offer, { duration_seconds: made }: RequestedVideo) => {
  if (upstream.startsWith('dreamina-seedance-2-5')) return 30;
  return upstream.startsWith('wan3') ? Math.min(15, 30 - made) : 15;
};

/** A request with something drawn for each field, as far as the row goes. */
const drawn = fc.record({
  offer: fc.constantFrom(...allOffers()),
  at: fc.tuple(chance, chance, chance, chance),
  frames: fc.subarray(['first_frame', 'last_frame'] as const),
  counts: fc.tuple(fc.nat(12), fc.nat(3), fc.nat(3)),
  audio: fc.constantFrom({ generate_audio: true }, { generate_audio: false }, {}),
  shares: fc.array(chance, { minLength: 3, maxLength: 3 }),
  continuation: fc.constantFrom(undefined, undefined, undefined, ...CONTINUATIONS),
  isKnown: fc.boolean(),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer Value> ? Value : never;

/** Goes on with a video of any length that the row allows, which is known or not. */
function continuing({ offer, at, audio, continuation = 'extend', isKnown }: Drawn): Metered | undefined {
  const range = offer.continuations?.[continuation]?.source_seconds;
  if (range === undefined) return undefined;
  const source = range.least + at[0] * (range.most - range.least);
  const durations = offer.with_inputs?.[continuation]?.durations ?? offer.durations;
  const [duration, resolution] = [among(durations, at[2]), among(offer.resolutions, at[1])];
  const id = 'vid_01jg000000000000000000000c';
  const hasOwn = offer.with_inputs?.[continuation]?.resolutions?.length !== 0;
  const request = {
    ...aRequest({ previous_job_id: id, continuation, ...audio, ...defined({ duration }) }),
    ...(hasOwn ? defined({ resolution }) : {}),
    earlier: new Map(isKnown ? [[id, { seconds: source }]] : []),
  };
  if (misfitOf(request, offer) !== undefined) return undefined;
  const video = withDefaults(request, offer);
  const made = continuation === 'edit' ? source : video.duration_seconds;
  return { offer, video, made, lengths: [source], shape: at[3] };
}

/** Undefined for a request that the row does not allow. */
function metered(draw: Drawn): Metered | undefined {
  if (draw.continuation !== undefined) return continuing(draw);
  const { offer, at, frames, counts, audio, shares } = draw;
  const resolution = among(offer.resolutions, at[0]) ?? offer.default_resolution;
  const url = 'https://a.example/1';
  const many = (count: number, type: string) =>
    Array.from({ length: count }, () => ({ type, [type]: { url } }));
  const request = aRequest({
    resolution,
    aspect_ratio: among(offer.aspect_ratios, at[1]),
    duration: among(durationsOf(offer, resolution), at[2]),
    ...audio,
    frame_images: frames.map((frame_type) => ({ type: 'image_url', image_url: { url }, frame_type })),
    input_references: [
      ...many(counts[2], 'video_url'),
      ...many(counts[1], 'audio_url'),
      ...many(counts[0], 'image_url'),
    ].slice(0, 16),
  });
  if (misfitOf(request, offer) !== undefined) return undefined;
  const video = withDefaults(request, offer);
  const parts = shares.slice(0, video.input_references.filter(({ kind }) => kind === 'video').length);
  const whole = longestClips(offer, video) / Math.max(1, sum(parts));
  const lengths = parts.map((part) => part * whole);
  return { offer, video, made: video.duration_seconds, lengths, shape: at[3] };
}

describe('every request that a row allows', () => {
  test('holds at least what its vendor bills, and is charged exactly that', () => {
    let [allowed, continued] = [0, 0];
    fc.assert(
      fc.property(drawn, (draw) => {
        const each = metered(draw);
        if (each === undefined) return;
        allowed += 1;
        const { bill, charge = bill } = (METERS[each.offer.provider] ?? asAsked)(each);
        continued += draw.continuation === undefined ? 0 : 1;
        // Nobody is billed a part of a micro-dollar; sums of seconds have some in their last binary digits.
        expect(priceOf(each.video, each.offer)).toBeGreaterThanOrEqual(Math.round(bill));
        expect(Math.abs(charge - bill)).toBeLessThanOrEqual(0.5);
      }),
      { numRuns: RUNS },
    );
    expect(allowed).toBeGreaterThan(RUNS / 12);
    expect(continued).toBeGreaterThan(RUNS / 100);
  });

  test('names clips that cost money only where the vendor tells what it has counted', () => {
    const billed = allOffers().filter(({ price_per_second: { clip_seconds } }) => clip_seconds !== undefined);
    expect(billed.map(({ provider }) => provider)).toEqual(billed.map(() => expect.stringMatching(COUNTERS)));
  });
});

/** These report at the end what they have counted, or what it costs. */
const COUNTERS = /^(byteplus|minimax|dashscope|runway|xai)$/;
