import fc from 'fast-check';
import { CONTINUATIONS } from '../../functions/videos/catalogue/continuation.ts';
import { ASPECT_RATIOS, RESOLUTIONS } from '../../functions/videos/catalogue/frame-size.ts';
import { PROVIDER_SORTS } from '../../functions/videos/catalogue/provider-preferences.ts';
import { RETENTION_DAYS } from '../../functions/workspaces/retention-days.ts';

/** Paths of fields in valid bodies of the two largest operations, with wrong values for each. */
export type Corruptions = [path: string, wrong: unknown[]][];

const CHOICES: Readonly<Record<string, readonly unknown[]>> = {
  default_provider_sort: PROVIDER_SORTS,
  video_retention_days: RETENTION_DAYS,
  aspect_ratio: ASPECT_RATIOS,
  resolution: RESOLUTIONS,
  'frame_images.0.frame_type': ['first_frame', 'last_frame'],
  continuation: CONTINUATIONS,
};

/** The error for a wrong value in this field. */
export const refusedField = (path: string) => {
  const supported = CHOICES[path];
  return { path, ...(supported === undefined ? {} : { supported }) };
};

const HALF_A_PAIR = 'a\ud800';
const NO_STRING = [1, true, [], {}, null];
const NO_FLAG = [0, 1, 'true', [], {}, null];
const NO_OBJECT = [1, true, 'a', [], null];

const text = (maxLength: number) =>
  fc.string({ unit: 'grapheme', minLength: 1, maxLength }).filter((value) => [...value].length <= maxLength);
const name = text(100);
const model = fc.constantFrom('sandbox/clip-1', 'a/b', 'x'.repeat(200));
const flag = fc.boolean();

export const workspaceBody = fc.record(
  {
    name,
    slug: fc.stringMatching(/^[a-z0-9]{1,20}(-[a-z0-9]{1,20})?$/),
    description: fc.option(text(500)),
    default_text_model: fc.option(model),
    default_image_model: fc.option(model),
    default_provider_sort: fc.constantFrom('price', 'throughput', 'latency', 'exacto', null),
    io_logging_api_key_ids: fc.option(fc.array(fc.oneof(text(200), fc.maxSafeInteger()), { maxLength: 100 })),
    io_logging_sampling_rate: fc.double({ min: 0.0001, max: 1, noNaN: true }),
    is_data_discount_logging_enabled: flag,
    is_observability_broadcast_enabled: flag,
    is_observability_io_logging_enabled: flag,
    video_retention_days: fc.constantFrom(...RETENTION_DAYS, null),
  },
  { requiredKeys: ['name', 'slug', 'io_logging_api_key_ids'] },
);

const notNull = (values: unknown[]) => values.filter((value) => value !== null);
const wrongModel = [...notNull(NO_STRING), '', 'x'.repeat(201), HALF_A_PAIR];

export const WORKSPACE_CORRUPTIONS: Corruptions = [
  ['name', [undefined, ...NO_STRING, '', 'x'.repeat(101), '😀'.repeat(101), HALF_A_PAIR]],
  [
    'slug',
    [undefined, ...NO_STRING, '', 'A', 'a--b', '-a', 'a-', 'a_b', 'é', 'a\n', 'x'.repeat(51), HALF_A_PAIR],
  ],
  ['description', [...notNull(NO_STRING), 'x'.repeat(501), HALF_A_PAIR]],
  ['default_text_model', wrongModel],
  ['default_image_model', wrongModel],
  ['default_provider_sort', [...notNull(NO_STRING), '', 'Price', 'cheap']],
  ['io_logging_api_key_ids', [1, true, 'a', {}, Array(101).fill('a')]],
  ['io_logging_sampling_rate', ['1', true, [], {}, null, 0, 0.00009, 1.0001, -1, 1e300]],
  ['is_data_discount_logging_enabled', NO_FLAG],
  ['is_observability_broadcast_enabled', NO_FLAG],
  ['is_observability_io_logging_enabled', NO_FLAG],
  ['video_retention_days', ['7', true, [], {}, 0, 2, 7.5, 91]],
];

const url = fc.constantFrom('https://example.com/a.png', `https://example.com/${'x'.repeat(2028)}`);

export const videoBody = fc.record(
  {
    model,
    prompt: text(300),
    aspect_ratio: fc.constantFrom(...ASPECT_RATIOS),
    resolution: fc.constantFrom(...RESOLUTIONS),
    size: fc.constantFrom('1280x720', '1x1', '99999x99999'),
    duration: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    seed: fc.maxSafeInteger(),
    generate_audio: flag,
    frame_images: fc.array(
      url.map((at) => ({ type: 'image_url', image_url: { url: at }, frame_type: 'first_frame' })),
      { minLength: 1, maxLength: 2 },
    ),
    input_references: fc.array(
      fc
        .tuple(fc.constantFrom('image_url', 'audio_url', 'video_url'), url)
        .map(([type, at]) => ({ type, [type]: { url: at } })),
      { minLength: 1, maxLength: 16 },
    ),
    provider: fc.record({ options: fc.record({ sandbox: fc.constant({ a: [1, { b: null }] }) }) }),
    callback_url: fc.constant('https://example.com/hook'),
  },
  { requiredKeys: ['model', 'prompt', 'frame_images', 'input_references', 'provider'] },
);

const wrongUrl = [undefined, ...NO_STRING, '', 'x', 'http://example.com', 'file:///x', HALF_A_PAIR];
const tooLongUrl = `https://example.com/${'x'.repeat(2029)}`;

export const VIDEO_CORRUPTIONS: Corruptions = [
  ['model', [undefined, ...NO_STRING, '', 'x'.repeat(201), HALF_A_PAIR]],
  ['prompt', [undefined, ...NO_STRING, '', 'x'.repeat(32_001), '😀'.repeat(32_001), HALF_A_PAIR]],
  ['aspect_ratio', [...NO_STRING, '', '16x9', '5:4']],
  ['resolution', [...NO_STRING, '', '720', '720P']],
  ['size', [...NO_STRING, '', '1280', '1280X720', '1280x', 'x720', '-1x1', '100000x1', '1x1\n']],
  ['duration', ['4', true, [], {}, null, 0, -1, 1.5, 1e21, 2 ** 53]],
  ['seed', ['4', true, [], {}, null, 0.5, 1e21, 2 ** 53, -(2 ** 53)]],
  ['generate_audio', NO_FLAG],
  ['frame_images', [1, true, 'a', {}, null]],
  ['frame_images.0', [1, true, 'a', null]],
  ['frame_images.0.type', [undefined, ...NO_STRING, 'image', 'video_url']],
  ['frame_images.0.image_url', [undefined, 1, true, 'a', null]],
  ['frame_images.0.image_url.url', [...wrongUrl, tooLongUrl]],
  ['frame_images.0.frame_type', [undefined, ...NO_STRING, 'first', 'FIRST_FRAME']],
  [
    'input_references',
    [1, true, 'a', {}, null, Array(17).fill({ type: 'image_url', image_url: { url: 'https://a.b' } })],
  ],
  ['input_references.0', [1, true, 'a', null]],
  ['input_references.0.type', [undefined, ...NO_STRING, 'image', 'text']],
  ['previous_job_id', [...NO_STRING, '', 'vid_1', 'https://example.com/a.mp4']],
  ['continuation', [...NO_STRING, '', 'remix']],
  ['provider', NO_OBJECT],
  ['provider.options', NO_OBJECT],
  ['provider.options.sandbox', NO_OBJECT],
  ['provider.options.sandbox.a.0', [HALF_A_PAIR, 2 ** 53, -1e300, 1e-200]],
  ['callback_url', [...NO_STRING, HALF_A_PAIR]],
];
