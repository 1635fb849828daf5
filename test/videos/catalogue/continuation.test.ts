import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { Catalogue, findOffer } from '../../../functions/videos/catalogue/catalogue.ts';
import type { EarlierVideo } from '../../../functions/videos/catalogue/continuation.ts';
import { type Offer, offerSchema } from '../../../functions/videos/catalogue/offer.ts';
import { priceOf } from '../../../functions/videos/catalogue/price.ts';
import type { VideoRequest } from '../../../functions/videos/catalogue/video-request.ts';
import { choose } from '../../../functions/videos/routing/choose.ts';
import { chooseForCaller } from '../../../functions/videos/routing/choose-for-caller.ts';
import { NO_FIGURES } from '../../../functions/videos/routing/figures.ts';
import { settleContinuation } from '../../../functions/videos/routing/narrow.ts';
import { aRequest, NOW } from '../routing/an-offer.ts';

const id = 'vid_01jg000000000000000000000c';
const grok = findOffer('x-ai/grok-imagine-video')!;
const seedance = findOffer('byteplus/seedance-2.5')!;
const veo = findOffer('fal/veo-3.1')!;
const kling = findOffer('kling/o1')!;
const sandbox = findOffer('sandbox/clip-1')!;

/** What is asked of a provider for a request that goes on with such a video. */
const fitted = (offer: Offer, fields: Record<string, unknown>, video?: EarlierVideo) =>
  fittedTo(offer, aRequest({ previous_job_id: id, ...fields }), video);

function fittedTo(offer: Offer, asked: VideoRequest, video: EarlierVideo = {}) {
  const model = { id: offer.id, offers: [offer] };
  const request = settleContinuation({ ...asked, earlier: new Map([[id, video]]) }, model, () => [model]);
  return choose(request, model, {
    usualSort: 'price',
    figuresOf: () => NO_FIGURES,
    accountsOf: () => [{ isByok: false, turn: 'usual' }],
    dataDiscount: 0,
    now: NOW,
  }).video;
}

const edit = { continuation: 'edit' };
const HD = { width: 1280, height: 720 };

describe('a video that goes on with a completed one', () => {
  test('is asked for as an extension where the model makes these, and names its source', () => {
    expect(fitted(grok, { duration: 6 }, { seconds: 8.04, ...HD })).toMatchObject({
      width: 1280,
      height: 720,
      duration_seconds: 6,
      frame_images: [],
      input_references: [{ kind: 'extend', url: id, seconds: 8.04 }],
    });
    expect(fitted(grok, edit, { seconds: 8.04 }).input_references[0]?.kind).toBe('edit');
  });

  test('is asked for as an edit where the model makes nothing else', () => {
    const { extend: _, ...continuations } = grok.continuations!;
    expect(fitted({ ...grok, continuations }, {}).input_references).toEqual([{ kind: 'edit', url: id }]);
  });

  test.each([
    ['its length, which an edit keeps', edit, { seconds: 8.04 }, { duration_seconds: 9 }],
    ['the longest length, where it is not known', edit, {}, { duration_seconds: 9 }],
    ['its resolution', {}, { width: 864, height: 496 }, { width: 854, height: 480 }],
    ['no higher a resolution than the model makes', {}, { width: 1080, height: 1920 }, { height: 1280 }],
    ['the nearest shape', {}, { width: 1112, height: 834 }, { width: 960, height: 720 }],
    ['the dearest resolution, where it is not known', {}, {}, HD],
  ])('has %s', (_, fields, video, expected) => {
    expect(fitted(grok, fields, video)).toMatchObject(expected);
  });

  test('has the resolution that is asked for, where the model can choose', () => {
    const video = { seconds: 5, width: 864, height: 496 };
    expect(fitted(seedance, {}, video)).toMatchObject(HD);
    expect(fitted(seedance, { resolution: '480p' }, video)).toMatchObject({ width: 854, height: 480 });
    expect(fitted(seedance, edit, { ...video, seconds: 2 })).toMatchObject({ duration_seconds: 2 });
  });

  test.each<[string, Offer, Record<string, unknown>, EarlierVideo, RegExp]>([
    [
      'a source that is too long',
      grok,
      {},
      { seconds: 15.2 },
      /_job_id: vid_.* has a duration of 15.2 s, but .* 2 to 15 s/,
    ],
    ['a source that is too short', grok, {}, { seconds: 1.8 }, /can extend only videos of 2 to 15 s/],
    ['a source that is too long to edit', grok, edit, { seconds: 9 }, /can edit only videos of 1 to 8.7 s/],
    [
      'a source that is too small',
      kling,
      edit,
      { width: 854, height: 480 },
      /_job_id: vid_.* has 854x480 pixels, but kling\/o1 can edit only videos with sides of 700 to 2160 pixels$/,
    ],
    ['a source that is too large', kling, edit, { width: 3840, height: 2160 }, /has 3840x2160 pixels/],
    ['a length', grok, { duration: 11 }, {}, /^duration: 11 .* when it extends a video; supported: 2 to 10$/],
    [
      'a length of an edit',
      grok,
      { ...edit, duration: 8 },
      {},
      /^duration: .* takes the duration from vid_.*omit/,
    ],
    ['a resolution', grok, { resolution: '720p' }, {}, /^resolution: .* takes the resolution from vid_/],
    ['a size', grok, { size: '1280x720' }, HD, /^size: .* takes the aspect ratio from vid_.*; omit size/],
    ['a shape', seedance, { aspect_ratio: '16:9' }, {}, /^aspect_ratio: .* takes the aspect ratio from vid_/],
    [
      'another input',
      seedance,
      { input_references: [{ type: 'image_url', image_url: { url: 'https://a.example/1' } }] },
      {},
      /^previous_job_id: cannot be combined with frames or references/,
    ],
    [
      'a model without any',
      veo,
      {},
      {},
      /^previous_job_id: fal\/veo-3.1 cannot extend a video; models that can: none/,
    ],
  ])('cannot have %s, and the error says why', (_, offer, fields, video, message) => {
    expect(() => fitted(offer, fields, video)).toThrow(message);
  });

  test('may have the longest sides that are taken, or sides that are not known', () => {
    expect(fitted(kling, edit, { width: 2160, height: 700, seconds: 5 })).toMatchObject({
      duration_seconds: 5,
    });
    expect(fitted(kling, edit)).toMatchObject({ duration_seconds: 10 });
  });

  test('may be as long as a few frames more than is taken', () => {
    expect(fitted(grok, {}, { seconds: 15.08 }).input_references).toHaveLength(1);
  });

  test('needs to be named', () => {
    expect(() => fittedTo(grok, aRequest(edit))).toThrow(/^continuation: requires previous_job_id/);
  });

  test('can be made by the models of the stage that a refusal names', async () => {
    const caller = { workspaceId: 'ws-1', keyHash: 'key-1', creator: 'user-1', guardrailId: null };
    const settings = { credential: 'none' as const };
    const chosen = (model: string) =>
      chooseForCaller(aRequest({ model, previous_job_id: id, continuation: 'edit' }), caller, {
        catalogue: async () => new Catalogue([sandbox, grok, veo, seedance]),
        providers: { sandbox: settings, xai: settings, fal: settings },
        policyOf: async () => undefined,
        guardrailOf: async () => undefined,
        dataDiscount: 0,
        keysOf: async () => [],
        figures: async () => () => NO_FIGURES,
        now: () => NOW,
      });
    await expect(chosen('google/veo-3.1')).rejects.toThrow(
      'google/veo-3.1 cannot edit a video; models that can: sandbox/clip-1, x-ai/grok-imagine-video',
    );
    expect((await chosen(grok.id)).video.input_references).toEqual([{ kind: 'edit', url: id }]);
  });
});

test.each([
  ['the new seconds and those of the source', {}, { seconds: 8.04, ...HD }, 5 * 70_000 + 9 * 10_000],
  ['the longest source, where it is not known', {}, {}, 5 * 70_000 + 15 * 10_000],
  ['an edit with what it gets', edit, { seconds: 8.04, ...HD }, 9 * 70_000 + 9 * 10_000],
])('a continuation holds %s', (_, fields, video, micros) => {
  expect(priceOf(fitted(grok, fields, video), grok)).toBe(micros);
});

test('an edit holds the price of a second with a clip, or the least of its model', () => {
  const aleph = findOffer('runway/aleph-2')!;
  expect(priceOf(fitted(kling, edit, { seconds: 4.04, ...HD }), kling)).toBe(5 * 126_000);
  expect(priceOf(fitted(aleph, {}, { seconds: 2, ...HD }), aleph)).toBe(2 * 280_000);
  expect(priceOf({ ...fitted(aleph, {}, { seconds: 2, ...HD }), duration_seconds: 1 }, aleph)).toBe(560_000);
});

test('clips that are completed videos may be as long together as the model takes', () => {
  const clip = { type: 'video_url', video_url: { url: id } };
  const request = (count: number) =>
    aRequest({ input_references: Array.from({ length: count }, () => clip) });
  const video = { seconds: 15.04 };
  expect(fittedTo(seedance, request(2), video).input_references).toHaveLength(2);
  expect(() => fittedTo(seedance, request(3), video)).toThrow(
    /^input_references: .* at most 30 s of video, not 45.1/,
  );
});

test('a row of an older version goes on with nothing', () => {
  const { continuations: _, with_inputs: __, ...old } = grok;
  expect(v.parse(offerSchema, old)).not.toHaveProperty('continuations');
});
