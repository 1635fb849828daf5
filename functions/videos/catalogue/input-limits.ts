import * as v from 'valibot';
import { CONTINUATIONS, sourceOf } from './continuation.ts';
import type { Misfit } from './fit.ts';
import { ASPECT_RATIOS, formatNamed, RESOLUTIONS } from './frame-size.ts';
import type { Offer } from './offer.ts';
import type { RequestedVideo } from './requested-video.ts';
import type { VideoRequest } from './video-request.ts';

export const INPUT_KINDS = [
  'first_frame',
  'last_frame',
  'image',
  'audio',
  'video',
  ...CONTINUATIONS,
] as const;
export type InputKind = (typeof INPUT_KINDS)[number];

/** A request names no more of all kinds together. */
const some = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(16));
const seconds = v.pipe(v.number(), v.integer(), v.minValue(1));
const timed = (what: string) =>
  v.strictObject({
    most: some,
    seconds: v.exactOptional(
      v.pipe(seconds, v.description(`Maximum total duration of the ${what}, in seconds`)),
    ),
  });

/** How many references a model takes. How long a clip behind an address is, only its provider finds out. */
export const referenceLimitsSchema = v.strictObject({
  image: v.exactOptional(
    v.strictObject({
      most: some,
      beside_clip: v.exactOptional(
        v.pipe(
          some,
          v.description('Maximum number of images in a request that also has a video, if lower than `most`'),
        ),
      ),
    }),
  ),
  audio: v.exactOptional(timed('audio clips')),
  video: v.exactOptional(timed('videos')),
  total: v.exactOptional(some),
  audio_alone: v.optional(
    v.pipe(v.boolean(), v.description('Whether a request may have audio clips as its only references')),
    true,
  ),
});

const inherited = (values: string, value: string, omitted: string) =>
  `Supported ${values}, if the input limits them. Empty: the video has the ${value} of the input, and the request must omit ${omitted}`;

/** What is left of a row's abilities with an input of a kind. */
export const narrowingSchema = v.strictObject({
  durations: v.exactOptional(
    v.pipe(v.array(seconds), v.description(inherited('durations in seconds', 'duration', '`duration`'))),
  ),
  resolutions: v.exactOptional(
    v.pipe(
      v.array(v.picklist(RESOLUTIONS)),
      v.description(inherited('resolutions', 'resolution', '`resolution`')),
    ),
  ),
  aspect_ratios: v.exactOptional(
    v.pipe(
      v.array(v.picklist(ASPECT_RATIOS)),
      v.description(
        inherited(
          'aspect ratios',
          'aspect ratio',
          '`aspect_ratio` and `size`. Exception: with OpenAI’s `input_reference`, `size` is allowed, but its aspect ratio has no effect',
        ),
      ),
    ),
  ),
  generate_audio: v.exactOptional(
    v.pipe(
      v.boolean(),
      v.description('The only supported value. Absent if the input does not limit the choice'),
    ),
  ),
});
type Narrowing = v.InferOutput<typeof narrowingSchema>;

export const withInputsSchema = v.record(v.picklist(INPUT_KINDS), narrowingSchema);

/** The kinds of inputs that an offer would get of a request: frames win over references. */
export function inputKinds(
  request: VideoRequest,
  { input_references: taken }: Pick<Offer, 'input_references'>,
): readonly InputKind[] {
  const source = sourceOf(request);
  if (source !== undefined) return [source.continuation];
  const { frame_images, input_references } = request;
  if (frame_images.length > 0) return frame_images.map(({ frame_type }) => frame_type);
  const kinds = taken.filter((kind) => input_references.some(({ type }) => type === `${kind}_url`));
  return INPUT_KINDS.filter((kind) => kinds.some((given) => given === kind));
}

/** The input that gives the video what may not be asked for beside it. */
export const giverOf = (
  request: VideoRequest,
  offer: Pick<Offer, 'input_references' | 'with_inputs'>,
  what: 'durations' | 'resolutions' | 'aspect_ratios',
): InputKind | undefined =>
  inputKinds(request, offer).find((kind) => offer.with_inputs?.[kind]?.[what]?.length === 0);

/** Whether the shape of the video is that of an input. */
export function followsInput(video: RequestedVideo, { with_inputs }: Pick<Offer, 'with_inputs'>): boolean {
  const kinds = [
    ...video.frame_images.map(({ frame_type }) => frame_type),
    ...video.input_references.map(({ kind }) => kind),
  ];
  return kinds.some((kind) => with_inputs?.[kind]?.aspect_ratios?.length === 0);
}

/** The offer with what it can do beside such inputs. */
export const beside = (kinds: readonly InputKind[], offer: Offer): Offer =>
  kinds.reduce((left, kind) => narrowed(left, offer.with_inputs?.[kind] ?? {}), offer);

function narrowed(offer: Offer, narrowing: Narrowing): Offer {
  const { durations, resolutions, aspect_ratios, generate_audio } = narrowing;
  const only = <T>(all: readonly T[], some: readonly T[] | undefined): T[] =>
    some === undefined || some.length === 0 ? [...all] : all.filter((each) => some.includes(each));
  const left = only(offer.durations, durations);
  const byResolution = Object.entries(offer.durations_by_resolution ?? {}).map(
    ([name, own]) => [name, only(own, durations)] as const,
  );
  const leftAt = new Map<string, readonly number[]>(byResolution);
  return {
    ...offer,
    durations: left,
    ...(byResolution.length === 0 ? {} : { durations_by_resolution: Object.fromEntries(byResolution) }),
    resolutions: only(offer.resolutions, resolutions).filter((each) => (leftAt.get(each) ?? left).length > 0),
    aspect_ratios: only(offer.aspect_ratios, aspect_ratios),
    ...(offer.sizes !== undefined && {
      sizes: offer.sizes.filter((size) => {
        const named = formatNamed(size);
        const isLeft = <T>(own: T | undefined, some: readonly T[] = []) =>
          some.length === 0 || some.some((each) => each === own);
        return isLeft(named?.resolution, resolutions) && isLeft(named?.aspectRatio, aspect_ratios);
      }),
    }),
    ...(generate_audio === undefined ? {} : { audio: generate_audio ? 'always' : 'never' }),
  };
}

/** Inputs beside which nothing is left that the offer could make. */
export function wrongTogether(request: VideoRequest, offer: Offer): Misfit | undefined {
  const kinds = inputKinds(request, offer);
  const { resolutions, aspect_ratios } = beside(kinds, offer);
  const sounds = new Set(kinds.flatMap((kind) => offer.with_inputs?.[kind]?.generate_audio ?? []));
  if (resolutions.length > 0 && aspect_ratios.length > 0 && sounds.size < 2) return undefined;
  const path = request.frame_images.length > 0 ? 'frame_images' : 'input_references';
  return { path, rule: (name) => `${name} cannot combine ${kinds.join(' and ')}` };
}
