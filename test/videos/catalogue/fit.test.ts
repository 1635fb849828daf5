import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { validate } from '../../../functions/http/validation.ts';
import { findOffer } from '../../../functions/videos/catalogue/catalogue.ts';
import { type Offer, offerSchema } from '../../../functions/videos/catalogue/offer.ts';
import { videoRequestSchema } from '../../../functions/videos/catalogue/video-request.ts';
import { choose } from '../../../functions/videos/routing/choose.ts';
import { NO_FIGURES } from '../../../functions/videos/routing/figures.ts';

const sandbox = findOffer('sandbox/clip-1')!;
const limited: Offer = {
  ...sandbox,
  id: 'limited/one',
  provider: 'limited',
  durations: [5, 10],
  default_duration: 5,
  resolutions: ['720p'],
  default_resolution: '720p',
  aspect_ratios: ['16:9'],
  seed: false,
  audio: 'never',
  frame_images: ['first_frame'],
  input_references: ['image'],
};

function fitted(fields: Record<string, unknown>, offer = sandbox) {
  const request = validate(videoRequestSchema, { model: offer.id, prompt: 'A fox', ...fields });
  const model = { id: offer.id, offers: [offer] };
  const choice = choose(request, model, {
    usualSort: 'price',
    figuresOf: () => NO_FIGURES,
    accountsOf: () => [{ isByok: false, turn: 'usual' }],
    dataDiscount: 0,
    now: new Date('2026-01-01T00:00:00Z'),
  });
  return choice.video;
}

const frame = (frame_type: string) => ({
  type: 'image_url',
  image_url: { url: 'https://a.example/1.png' },
  frame_type,
});

describe('a request fitted to a model', () => {
  test('has the model’s defaults for missing fields', () => {
    expect(fitted({})).toEqual({
      prompt: 'A fox',
      width: 854,
      height: 480,
      duration_seconds: 4,
      generate_audio: true,
      frame_images: [],
      input_references: [],
      options: {},
    });
  });

  test('treats size as the same as resolution with aspect_ratio', () => {
    const bySize = fitted({ size: '1280x720' });
    expect(bySize).toMatchObject({ width: 1280, height: 720 });
    expect(fitted({ resolution: '720p', aspect_ratio: '16:9' })).toEqual(bySize);
    expect(fitted({ size: '1280x720', resolution: '720p' })).toEqual(bySize);
  });

  test('keeps a seed of 0, and none when none was sent', () => {
    expect(fitted({ seed: 0 }).seed).toBe(0);
    expect(fitted({})).not.toHaveProperty('seed');
  });

  test('passes on only the options that the row names', () => {
    const options = { sandbox: { latency_s: 1, model: 'other' } };
    expect(() => fitted({ provider: { options } })).toThrow(
      /^provider\.options\.sandbox: model is not supported by sandbox\/clip-1; supported: latency_s, /,
    );
  });

  test('forwards the chosen provider’s options only', () => {
    const options = { sandbox: { latency_s: 1 }, other: { secret: 'x' } };
    expect(fitted({ provider: { options } }).options).toEqual({ latency_s: 1 });
  });

  test('prefers frame images to references, and drops kinds of reference that the model ignores', () => {
    const input_references = [
      { type: 'image_url', image_url: { url: 'https://a.example/1.png' } },
      { type: 'audio_url', audio_url: { url: 'https://a.example/1.mp3' } },
    ];
    expect(fitted({ input_references, frame_images: [frame('last_frame')] }).input_references).toEqual([]);
    expect(fitted({ input_references }, limited).input_references).toEqual([
      { kind: 'image', url: 'https://a.example/1.png' },
    ]);
  });

  test('can be as long as the model supports, but not a second longer', () => {
    expect(fitted({ duration: 1 }).duration_seconds).toBe(1);
    expect(fitted({ duration: 15 }).duration_seconds).toBe(15);
    expect(() => fitted({ duration: 16 })).toThrow(
      'duration: 16 is not supported by sandbox/clip-1; supported: 1 to 15',
    );
    expect(() => fitted({ duration: 6 }, limited)).toThrow('supported: 5, 10');
  });

  test('can have the lengths that its resolution supports', () => {
    const model: Offer = { ...findOffer('fal/veo-3.1')!, durations_by_resolution: { '1080p': [8] } };
    expect(fitted({ duration: 4 }, model).duration_seconds).toBe(4);
    expect(fitted({ duration: 8, resolution: '1080p' }, model).duration_seconds).toBe(8);
    expect(() => fitted({ duration: 4, resolution: '1080p' }, model)).toThrow(
      'duration: 4 at 1080p is not supported by fal/veo-3.1; supported: 8',
    );
    expect(() => fitted({ duration: 5, resolution: '1080p' }, model)).toThrow('supported: 4, 6, 8');
    const short = { ...model, default_duration: 4 };
    expect(fitted({ resolution: '1080p' }, short).duration_seconds).toBe(8);
  });

  test('can have a size of the vendor’s own, where the row has it', () => {
    const seedance = findOffer('byteplus/seedance-2.5')!;
    expect(fitted({ size: '1470x630' }, seedance)).toMatchObject({ width: 1470, height: 630 });
    expect(() => fitted({ size: '1024x1792' }, seedance)).toThrow(/^size: 1024x1792 is not supported/);
    expect(() => fitted({ size: '960x960' }, findOffer('fal/kling-4.0')!)).toThrow(/^size: 960x960 is not/);
    const narrow = { ...seedance, with_inputs: { first_frame: { resolutions: ['480p' as const] } } };
    const frame_images = [frame('first_frame')];
    expect(fitted({ size: '752x560', frame_images }, narrow)).toMatchObject({ width: 752, height: 560 });
    expect(() => fitted({ size: '960x960', frame_images }, narrow)).toThrow(
      /^size: 960x960 .* with first_frame; supported: /,
    );
    expect(() => fitted({ size: '752x560', resolution: '720p' }, seedance)).toThrow(
      /752x560 is 480p at 4:3, which contradicts/,
    );
  });

  test.each([
    ['size', { size: '1x1' }, sandbox, /^size: 1x1 is not supported by sandbox\/clip-1; supported: 640x360/],
    ['resolution', { resolution: '4K' }, sandbox, /^resolution: 4K .* supported: 360p/],
    ['aspect_ratio', { aspect_ratio: '1:1' }, limited, /^aspect_ratio: 1:1 .* supported: 16:9/],
    ['contradiction', { size: '1280x720', aspect_ratio: '1:1' }, sandbox, /^size: .* contradicts/],
    ['seed', { seed: 1 }, limited, /^seed: limited\/one does not support a seed; omit it/],
    ['audio', { generate_audio: true }, limited, /^generate_audio: true .* supported: false/],
    [
      'frame',
      { frame_images: [frame('last_frame')] },
      limited,
      /^frame_images: last_frame .* supported: first_frame/,
    ],
    [
      'frame, where none is supported',
      { frame_images: [frame('last_frame')] },
      { ...limited, frame_images: [] },
      /^frame_images: last_frame .* supported: none$/,
    ],
    [
      'two frames of one type',
      { frame_images: [frame('first_frame'), frame('first_frame')] },
      sandbox,
      /^frame_images: .* at most one/,
    ],
  ])('is refused for its %s, and the error says what is expected', (_, fields, model, message) => {
    expect(() => fitted(fields, model)).toThrow(message);
  });
});

describe('the limits of a model', () => {
  const references = (kind: 'image' | 'audio' | 'video', count: number) =>
    Array.from({ length: count }, () => ({
      type: `${kind}_url`,
      [`${kind}_url`]: { url: 'https://a.example/1' },
    }));
  const model: Offer = {
    ...sandbox,
    prompt_limit: 5,
    last_frame_needs_first: true,
    reference_limits: {
      image: { most: 3, beside_clip: 2 },
      audio: { most: 1, seconds: 15 },
      video: { most: 2, seconds: 15 },
      total: 4,
      audio_alone: false,
    },
    with_inputs: {
      first_frame: { aspect_ratios: [] },
      last_frame: { generate_audio: false, resolutions: ['360p'] },
      image: { durations: [8, 9] },
      video: { aspect_ratios: ['1:1'] },
    },
  };
  const both = { frame_images: [frame('first_frame'), frame('last_frame')] };

  test.each([
    [
      'a prompt',
      { prompt: 'foxes!' },
      /^prompt: must have at most 5 UTF-16 code units for sandbox\/clip-1, not 6/,
    ],
    [
      'a last frame alone',
      { frame_images: [frame('last_frame')] },
      /^frame_images: .* only with a first_frame/,
    ],
    [
      'images',
      { input_references: references('image', 4), duration: 8 },
      /^input_references: .* at most 3 image references, not 4/,
    ],
    [
      'images beside a clip',
      { input_references: [...references('image', 3), ...references('video', 1)] },
      /^input_references: .* at most 2 image references alongside a video reference, not 3/,
    ],
    [
      'sounds',
      { input_references: [...references('audio', 2), ...references('video', 1)] },
      /at most 1 audio reference, not 2/,
    ],
    ['clips', { input_references: references('video', 3) }, /at most 2 video references, not 3/],
    [
      'references in all',
      { input_references: [...references('image', 2), ...references('audio', 1), ...references('video', 2)] },
      /at most 4 references in total, not 5/,
    ],
    [
      'a sound alone',
      { input_references: references('audio', 1) },
      /does not accept audio clips alone; add an image/,
    ],
    [
      'a length',
      { input_references: references('image', 1), duration: 4 },
      /^duration: 4 .* with image; supported: 8, 9$/,
    ],
    [
      'a size',
      { ...both, resolution: '720p' },
      /^resolution: 720p .* with first_frame and last_frame; supported: 360p$/,
    ],
    [
      'sound',
      { ...both, generate_audio: true },
      /^generate_audio: true .* with first_frame and last_frame; supported: false$/,
    ],
    [
      'a shape of its own',
      { frame_images: [frame('first_frame')], aspect_ratio: '16:9' },
      /^aspect_ratio: sandbox\/clip-1 takes the aspect ratio from the first frame in the request; omit aspect_ratio/,
    ],
    [
      'a size of its own',
      { frame_images: [frame('first_frame')], size: '1280x720' },
      /^size: .* takes the aspect ratio from .* send resolution instead/,
    ],
    [
      'another shape',
      { input_references: references('video', 1), aspect_ratio: '16:9' },
      /^aspect_ratio: 16:9 .* with video; supported: 1:1$/,
    ],
  ])('refuse %s that is too much, and say what would do', (_, fields, message) => {
    expect(() => fitted({ prompt: 'A fox', ...fields }, model)).toThrow(message);
  });

  test.each([
    [{}, { width: 854, height: 480, duration_seconds: 4, generate_audio: true }],
    [both, { width: 640, height: 360, generate_audio: false }],
    [{ frame_images: [frame('first_frame')] }, { width: 854, height: 480, generate_audio: true }],
    [{ input_references: references('image', 3) }, { duration_seconds: 8 }],
    [{ input_references: references('video', 2) }, { width: 480, height: 480 }],
    [{ ...both, input_references: references('image', 16) }, { input_references: [] }],
  ])('leave to %j what they leave', (fields, video) => {
    expect(fitted(fields, model)).toMatchObject(video);
  });

  test('may need a first frame', () => {
    const needy: Offer = { ...sandbox, needs_first_frame: true };
    const rule = /^frame_images: sandbox\/clip-1 requires a first_frame/;
    expect(() => fitted({}, needy)).toThrow(rule);
    expect(() => fitted({ frame_images: [frame('last_frame')] }, needy)).toThrow(rule);
    expect(fitted({ frame_images: [frame('first_frame')] }, needy).frame_images).toHaveLength(1);
  });

  const apart = {
    durations: { first_frame: { durations: [5] }, last_frame: { durations: [10] } },
    resolutions: { first_frame: { resolutions: ['360p'] }, last_frame: { resolutions: ['720p'] } },
    shapes: { first_frame: { aspect_ratios: ['16:9'] }, last_frame: { aspect_ratios: ['1:1'] } },
    sound: { first_frame: { generate_audio: true }, last_frame: { generate_audio: false } },
  } as const;
  test.each(Object.entries(apart))('may leave no %s together, and the error says so', (_, with_inputs) => {
    const row = v.parse(offerSchema, { ...sandbox, with_inputs });
    expect(() => fitted(both, row)).toThrow(
      /^frame_images: sandbox\/clip-1 cannot combine first_frame and last_frame/,
    );
    expect(fitted({ frame_images: [frame('first_frame')] }, row).frame_images).toHaveLength(1);
  });

  test('may leave no duration at a resolution, which then is not supported', () => {
    const row = v.parse(offerSchema, {
      ...sandbox,
      durations_by_resolution: { '720p': [8] },
      with_inputs: { image: { durations: [5] } },
    });
    const given = { input_references: references('image', 1) };
    expect(() => fitted({ ...given, resolution: '720p' }, row)).toThrow(
      /^resolution: 720p .* with image; supported: 360p, 480p, 1080p$/,
    );
    expect(fitted(given, row).duration_seconds).toBe(5);
  });

  test.each([
    [{ with_inputs: { image: { durations: [99] } } }],
    [{ with_inputs: { image: { resolutions: ['4K' as const] } } }],
    [{ aspect_ratios: ['16:9' as const], with_inputs: { image: { aspect_ratios: ['1:1' as const] } } }],
    [{ audio: 'never' as const, with_inputs: { image: { generate_audio: true } } }],
    [{ audio: 'always' as const, with_inputs: { image: { generate_audio: false } } }],
    [{ durations_by_resolution: { '720p': [99] } }],
  ])('cannot be more than what the row says otherwise: %j', (change) => {
    expect(v.is(offerSchema, { ...sandbox, ...change })).toBe(false);
  });

  test('may need a completed video', () => {
    const editor: Offer = { ...sandbox, needs_source: true };
    expect(() => fitted({ frame_images: [frame('first_frame')] }, editor)).toThrow(
      /^previous_job_id: sandbox\/clip-1 requires a completed video to edit or extend; send its ID/,
    );
    const source = { previous_job_id: 'vid_01jg000000000000000000000c', continuation: 'extend' };
    expect(fitted(source, editor).input_references).toMatchObject([{ kind: 'extend' }]);
  });

  test('count no kind of reference that the model ignores', () => {
    const only = { ...model, input_references: ['image' as const] };
    const given = [...references('image', 1), ...references('audio', 9)];
    expect(fitted({ input_references: given }, only).input_references).toHaveLength(1);
  });
});

describe('a submit', () => {
  test.each([
    ['prompt', ''],
    ['prompt', 'p'.repeat(32_001)],
    ['prompt', undefined],
    ['duration', 0],
    ['duration', 1.5],
    ['duration', '4'],
    ['seed', 2 ** 53],
    ['size', '640*360'],
    ['aspect_ratio', '5:4'],
    ['resolution', '8K'],
    ['generate_audio', 'yes'],
    ['frame_images', [{ ...frame('first_frame'), image_url: { url: 'http://a.example/1.png' } }]],
    ['frame_images', [frame('mid')]],
    ['input_references', [{ type: 'text', text: 'x' }]],
    ['provider', { options: { sandbox: 1 } }],
  ])('with %s %p is refused, and the refusal names the field', (field, value) => {
    const body = { model: 'sandbox/clip-1', prompt: 'A fox', [field]: value };
    expect(() => validate(videoRequestSchema, body)).toThrow(new RegExp(`^${field}[.:]`));
  });

  test('may have a prompt of 32,000 characters', () => {
    const body = { model: 'm', prompt: '🦊'.repeat(32_000) };
    expect(validate(videoRequestSchema, body).prompt).toBe(body.prompt);
  });
});
