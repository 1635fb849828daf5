import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import type { VideoModel } from '../../../console/api/types.ts';
import {
  changed,
  choicesOf,
  type Draft,
  draftAgain,
  draftFrom,
  EMPTY_DRAFT,
  fitted,
  mostReferences,
  requestOf,
} from '../../../console/videos/draft.ts';
import { videoRequestSchema } from '../../../functions/videos/catalogue/video-request.ts';

const able: VideoModel = {
  id: 'sandbox/clip-1',
  canonical_slug: 'sandbox/clip-1',
  name: 'Clip',
  description: '',
  created: 0,
  supported_durations: [1, 2, 3],
  supported_durations_by_resolution: { '1080p': [1] },
  supported_resolutions: ['480p', '1080p'],
  supported_aspect_ratios: ['16:9', '1:1'],
  supported_sizes: [],
  supported_frame_images: ['first_frame', 'last_frame'],
  supported_input_references: ['image'],
  supported_continuations: [],
  generate_audio: true,
  seed: true,
  allowed_passthrough_parameters: [],
  pricing_skus: {},
  defaults: { duration: 1, resolution: '480p', aspect_ratio: '16:9', generate_audio: true },
  endpoints: [],
};
const plain: VideoModel = {
  ...able,
  id: 'other/plain',
  supported_resolutions: ['480p'],
  supported_frame_images: [],
  supported_input_references: [],
  generate_audio: false,
  seed: false,
};
const full: Draft = {
  prompt: 'A fox',
  duration: '3',
  resolution: '480p',
  aspectRatio: '1:1',
  seed: '7',
  audio: 'false',
  frames: {
    first_frame: { name: 'a.png', url: 'gw_file_1' },
    last_frame: { name: 'b.png', url: 'gw_file_2' },
  },
  references: [{ kind: 'image', name: 'c.png', url: 'https://example.com/c.png' }],
  continuation: '',
  callbackUrl: ' https://example.com/hook ',
  options: '{"sandbox": {"latency_s": 1}}',
  keepsPrompt: true,
};

describe('what is sent', () => {
  test('of an empty form is the model and the prompt', () => {
    expect(requestOf({ ...EMPTY_DRAFT, prompt: 'A fox', keepsPrompt: false }, able)).toEqual({
      model: 'sandbox/clip-1',
      prompt: 'A fox',
    });
  });

  test('of a full one is all of it, as the API takes it', () => {
    const id = 'gw_file_01j00000000000000000000000';
    const frames = { first_frame: { name: 'a.png', url: id }, last_frame: { name: 'b.png', url: id } };
    const request = requestOf({ ...full, frames }, able);
    expect(request).toEqual({
      model: 'sandbox/clip-1',
      prompt: 'A fox',
      duration: 3,
      resolution: '480p',
      aspect_ratio: '1:1',
      seed: 7,
      generate_audio: false,
      frame_images: [
        { type: 'image_url', image_url: { url: id }, frame_type: 'first_frame' },
        { type: 'image_url', image_url: { url: id }, frame_type: 'last_frame' },
      ],
      input_references: [{ type: 'image_url', image_url: { url: 'https://example.com/c.png' } }],
      callback_url: 'https://example.com/hook',
      provider: { options: { sandbox: { latency_s: 1 } } },
      metadata: {
        prompt: 'A fox',
        settings: `duration=3&resolution=480p&aspectRatio=1%3A1&seed=7&audio=false&first_frame=${id}&last_frame=${id}`,
      },
    });
    expect(v.is(videoRequestSchema, request)).toBe(true);
  });

  test('carries no more of the prompt than a note may hold, and cuts no character in two', () => {
    const { metadata } = requestOf({ ...EMPTY_DRAFT, prompt: '🦊'.repeat(513) }, able);
    expect(metadata?.prompt).toBe('🦊'.repeat(512));
    expect(v.is(videoRequestSchema, requestOf({ ...EMPTY_DRAFT, prompt: '🦊'.repeat(513) }, able))).toBe(
      true,
    );
  });

  test('is nothing while the options are not JSON', () => {
    expect(() => requestOf({ ...full, options: '{' }, able)).toThrow(SyntaxError);
  });

  test.each(['audio', 'video'] as const)('names a reference that is %s by its kind', (kind) => {
    const url = 'https://example.com/x';
    const { input_references } = requestOf({ ...EMPTY_DRAFT, references: [{ kind, name: 'x', url }] }, able);
    expect(input_references).toEqual([{ type: `${kind}_url`, [`${kind}_url`]: { url } }]);
  });
});

const endpoint = (limits: Partial<VideoModel['endpoints'][number]>): VideoModel['endpoints'][number] => ({
  id: 'one/clip',
  provider: 'one',
  name: 'Clip',
  price: {},
  supported_durations: [1, 2, 3],
  supported_resolutions: ['480p', '1080p'],
  supported_aspect_ratios: ['16:9', '1:1'],
  supported_frame_images: ['first_frame'],
  supported_input_references: ['image'],
  audio: 'toggle',
  seed: true,
  allowed_passthrough_parameters: [],
  status: 'available',
  latency_p50: null,
  success_rate: null,
  samples: 0,
  ...limits,
});

describe('a form that was opened from a video', () => {
  const source = 'vid_01j00000000000000000000000';
  const opened = { ...draftFrom(source), prompt: 'It runs off', keepsPrompt: false };
  const extending = endpoint({
    continuations: { extend: { source_seconds: { least: 2, most: 15 } } },
    with_inputs: { extend: { durations: [2], resolutions: [] } },
  });
  const extender: VideoModel = { ...able, supported_continuations: ['extend'] };
  const asked = { model: able.id, prompt: 'It runs off' };

  test('begins with its last frame, or extends it where the model can', () => {
    const frame = { type: 'image_url', image_url: { url: source }, frame_type: 'first_frame' };
    expect(requestOf(fitted(opened, extender), extender)).toEqual({ ...asked, frame_images: [frame] });
    const extended = changed(opened, { continuation: 'extend' }, extender);
    const request = requestOf(extended, extender);
    expect(request).toEqual({ ...asked, previous_job_id: source, continuation: 'extend' });
    expect(v.is(videoRequestSchema, request)).toBe(true);
    expect(fitted(extended, able).continuation).toBe('');
    expect(choicesOf({ ...extender, endpoints: [endpoint({}), extending] }, extended)).toMatchObject({
      durations: [2],
      resolutions: [],
    });
    const { source: _, ...sourceless } = extended;
    expect(fitted(sourceless, extender).continuation).toBe('');
  });
});

describe('another model', () => {
  test('keeps what it can do too', () => {
    expect(fitted(full, able)).toEqual(full);
  });

  test('drops what it cannot', () => {
    expect(fitted({ ...full, resolution: '1080p' }, plain)).toEqual({
      ...full,
      resolution: '',
      seed: '',
      audio: '',
      frames: {},
      references: [],
    });
  });

  test('has fewer lengths at some resolutions', () => {
    expect(choicesOf(able, { ...EMPTY_DRAFT, resolution: '480p' }).durations).toEqual([1, 2, 3]);
    expect(choicesOf(able, { ...EMPTY_DRAFT, resolution: '1080p' }).durations).toEqual([1]);
    expect(fitted({ ...full, resolution: '1080p' }, able).duration).toBe('');
    expect(fitted({ ...full, resolution: '1080p', duration: '1' }, able).duration).toBe('1');
  });
});

describe('beside its inputs a model', () => {
  const image = { kind: 'image', name: 'a.png', url: 'gw_file_1' } as const;
  const narrow = endpoint({
    with_inputs: {
      image: { durations: [3], resolutions: ['480p'], generate_audio: false, aspect_ratios: [] },
    },
    reference_limits: { image: { most: 1 } },
  });
  const draft = { ...EMPTY_DRAFT, references: [image] };

  test('can do what one of its endpoints still can', () => {
    const left = { resolutions: ['480p'], durations: [3], aspectRatios: [], audio: [false] };
    expect(choicesOf({ ...able, endpoints: [narrow] }, draft)).toEqual(left);
    expect(choicesOf({ ...able, endpoints: [narrow, endpoint({})] }, draft)).toEqual({
      resolutions: ['480p', '1080p'],
      durations: [1, 2, 3],
      aspectRatios: ['16:9', '1:1'],
      audio: [true, false],
    });
    const framed = { ...draft, frames: { first_frame: image } };
    expect(choicesOf({ ...able, endpoints: [narrow] }, framed).durations).toEqual([1, 2, 3]);
  });

  test('keeps no choice that they exclude, and no more references than it takes', () => {
    const model = { ...able, endpoints: [narrow] };
    const asked = { ...full, frames: {}, references: [image, image], audio: 'true' as const };
    expect(fitted({ ...asked, resolution: '1080p', duration: '1' }, model)).toMatchObject({
      resolution: '',
      duration: '',
      aspectRatio: '',
      audio: '',
      references: [image],
    });
    expect(mostReferences(model, 'image')).toBe(1);
    expect(mostReferences(able, 'image')).toBe(16);
  });
});

describe('a change', () => {
  const image = { kind: 'image', name: 'fox.png', url: 'gw_file_1' } as const;
  const add = (now: Draft) => ({ references: [...now.references, image] });

  test('may be made of what the form holds by then', () => {
    const before = { ...EMPTY_DRAFT, references: [{ ...image, url: 'gw_file_0' }] };
    expect(changed(before, add, able).references.map(({ url }) => url)).toEqual(['gw_file_0', 'gw_file_1']);
  });

  test('adds nothing that the model cannot do', () => {
    expect(changed(EMPTY_DRAFT, add, plain)).toEqual(fitted(EMPTY_DRAFT, plain));
    expect(changed(EMPTY_DRAFT, { resolution: '1080p', seed: '7' }, plain)).toEqual(EMPTY_DRAFT);
  });
});

test('a request fills the form again as it was, and sends the same request', () => {
  const request = requestOf(full, able);
  const again = draftAgain(request, undefined);
  expect(requestOf(fitted(again, able), able)).toEqual(request);
  const edited = {
    ...draftFrom('vid_1'),
    prompt: 'A fox',
    continuation: 'edit' as const,
    keepsPrompt: false,
  };
  const model: VideoModel = { ...able, supported_continuations: ['edit'] };
  const request2 = requestOf(edited, model);
  expect(requestOf(fitted(draftAgain(request2, undefined), model), model)).toEqual(request2);
});

test('the notes of a job fill the form in another tab, with frames, references and the source', () => {
  const frame = (url: string) => ({ name: url, url });
  const draft: Draft = {
    ...full,
    frames: { first_frame: frame('gw_file_1'), last_frame: frame('vid_2') },
    references: [{ kind: 'image', ...frame('gw_file_3') }],
    callbackUrl: '',
    options: '',
  };
  const jobOf = (asked: Draft, model: VideoModel) => {
    const { metadata = {} } = requestOf(asked, model);
    return { metadata } as Parameters<typeof draftAgain>[1] & {};
  };
  expect(draftAgain(undefined, jobOf(draft, able))).toEqual(draft);
  const longer: Draft = { ...draftFrom('vid_1'), prompt: 'A fox', frames: {}, continuation: 'extend' };
  expect(draftAgain(undefined, jobOf(longer, able))).toEqual(longer);
  const references = Array.from({ length: 16 }, (_, at) => ({
    kind: 'image' as const,
    ...frame(`gw_file_${'x'.repeat(26)}${at}`),
  }));
  expect(requestOf({ ...draft, references }, able).metadata).toEqual({ prompt: draft.prompt });
});

test('without its request a job still says its prompt and its length', () => {
  const outputs = [{ content_type: 'video/mp4' as const, size_bytes: 1, sha256: '', duration: 2.04 }];
  const job: Parameters<typeof draftAgain>[1] = {
    id: 'vid_1',
    polling_url: '',
    status: 'completed',
    model: able.id,
    created_at: '',
    estimated_cost: 0,
    max_cost: 0,
    metadata: { prompt: 'A fox' },
    outputs,
  };
  expect(draftAgain(undefined, job)).toEqual({ ...EMPTY_DRAFT, prompt: 'A fox', duration: '2' });
  expect(draftAgain(undefined, undefined)).toEqual(EMPTY_DRAFT);
  // Whoever wrote the note: an address is nothing that the form would send by itself.
  const settings =
    'seed=7&audio=loud&first_frame=https://example.com/a.png&image=vid_9&image=gw_file_1"&source=x';
  expect(draftAgain(undefined, { ...job, metadata: { settings } })).toEqual({
    ...EMPTY_DRAFT,
    duration: '2',
    seed: '7',
    references: [{ kind: 'image', name: 'vid_9', url: 'vid_9' }],
  });
});
