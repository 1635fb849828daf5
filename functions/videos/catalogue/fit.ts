import { defined } from '../../defined.ts';
import { type InvalidRequest, invalidField } from '../../http/errors.ts';
import { type Micros, times } from '../../money/micros.ts';
import {
  type FrameFormat,
  formatNamed,
  formatOf,
  frameFormat,
  frameFormats,
  sizeName,
} from './frame-size.ts';
import { durationsOf, type VideoEndpoint } from './offer.ts';
import type { RequestedVideo } from './requested-video.ts';
import type { VideoRequest } from './video-request.ts';

/**
 * The part of a request that an endpoint cannot do. It is not thrown, because most requests meet endpoints that cannot
 * do them.
 */
export interface Misfit {
  readonly path: string;
  /** @param name by which the caller knows the endpoint */
  rule(name: string): string;
  readonly supported?: readonly unknown[];
}

/** The first thing that this endpoint cannot do; undefined where it can do exactly this. */
export function misfitOf(request: VideoRequest, endpoint: VideoEndpoint): Misfit | undefined {
  return (
    wrongFormat(request, endpoint) ??
    wrongDuration(request, endpoint) ??
    wrongSeed(request, endpoint) ??
    wrongAudio(request, endpoint) ??
    wrongFrames(request, endpoint) ??
    wrongOptions(request, endpoint)
  );
}

export const refusalOf = ({ path, rule, supported }: Misfit, name: string): InvalidRequest =>
  invalidField(path, rule(name), { supported });

function unsupported(path: string, value: unknown, supported: readonly unknown[]): Misfit {
  return {
    path,
    rule: (name) => `${value} is not supported by ${name}; supported: ${listed(supported)}`,
    supported,
  };
}

/** A run of whole numbers is easier to read as a range. */
function listed(values: readonly unknown[]): string {
  const [first] = values;
  const isRun = values.length > 2 && values.every((value, i) => value === Number(first) + i);
  return isRun ? `${first} to ${values.at(-1)}` : values.join(', ');
}

function wrongFormat(request: VideoRequest, endpoint: VideoEndpoint): Misfit | undefined {
  const { size, resolution, aspect_ratio: aspectRatio } = request;
  const { resolutions, aspect_ratios: aspectRatios } = endpoint;
  if (resolution !== undefined && !resolutions.includes(resolution)) {
    return unsupported('resolution', resolution, resolutions);
  }
  if (aspectRatio !== undefined && !aspectRatios.includes(aspectRatio)) {
    return unsupported('aspect_ratio', aspectRatio, aspectRatios);
  }
  if (size === undefined) return undefined;
  const named = formatNamed(size);
  if (
    named === undefined ||
    !resolutions.includes(named.resolution) ||
    !aspectRatios.includes(named.aspectRatio)
  ) {
    return unsupported('size', size, frameFormats(resolutions, aspectRatios).map(sizeName));
  }
  return (resolution ?? named.resolution) === named.resolution &&
    (aspectRatio ?? named.aspectRatio) === named.aspectRatio
    ? undefined
    : {
        path: 'size',
        rule: () =>
          `${size} is ${named.resolution} at ${named.aspectRatio}, which contradicts resolution or aspect_ratio; send either size or the other two`,
      };
}

function wrongDuration({ duration, size, resolution: asked }: VideoRequest, endpoint: VideoEndpoint) {
  if (duration === undefined) return undefined;
  if (!endpoint.durations.includes(duration)) return unsupported('duration', duration, endpoint.durations);
  const named = size === undefined ? undefined : formatNamed(size)?.resolution;
  const resolution = named ?? asked ?? endpoint.default_resolution;
  const supported = durationsOf(endpoint, resolution);
  if (supported.includes(duration)) return undefined;
  return unsupported('duration', `${duration} at ${resolution}`, supported);
}

function wrongSeed({ seed }: VideoRequest, endpoint: VideoEndpoint): Misfit | undefined {
  if (seed === undefined || endpoint.seed) return undefined;
  return { path: 'seed', rule: (name) => `${name} does not support a seed; leave it out` };
}

const AUDIO_CHOICES = { always: [true], toggle: [false, true], never: [false] } as const;

function wrongAudio({ generate_audio: asked }: VideoRequest, { audio }: VideoEndpoint): Misfit | undefined {
  const choices: readonly boolean[] = AUDIO_CHOICES[audio];
  if (asked === undefined || choices.includes(asked)) return undefined;
  return unsupported('generate_audio', asked, choices);
}

function wrongFrames({ frame_images: images }: VideoRequest, endpoint: VideoEndpoint): Misfit | undefined {
  const types = images.map((image) => image.frame_type);
  const wrong = types.find((type) => !endpoint.frame_images.includes(type));
  if (wrong !== undefined) return unsupported('frame_images', wrong, endpoint.frame_images);
  if (new Set(types).size === types.length) return undefined;
  return { path: 'frame_images', rule: () => 'must hold at most one image of each frame_type' };
}

/** Only names that the row lists, so that no option can change what is asked, priced or called back. */
function wrongOptions(request: VideoRequest, { provider, passthrough }: VideoEndpoint): Misfit | undefined {
  const options = request.provider.options[provider];
  if (options === undefined) return undefined;
  const wrong = Object.keys(options).find((name) => !passthrough.includes(name));
  return wrong === undefined ? undefined : unsupported(`provider.options.${provider}`, wrong, passthrough);
}

/**
 * A request with the endpoint's defaults filled in. It must be one that the endpoint can do: nothing is dropped silently.
 */
export function withDefaults(request: VideoRequest, endpoint: VideoEndpoint): RequestedVideo {
  const format = formatOfRequest(request, endpoint);
  return {
    prompt: request.prompt,
    width: format.width,
    height: format.height,
    duration_seconds: request.duration ?? usualDuration(endpoint, format),
    ...defined({ seed: request.seed }),
    generate_audio: request.generate_audio ?? endpoint.audio !== 'never',
    frame_images: request.frame_images.map((image) => ({
      frame_type: image.frame_type,
      url: image.image_url.url,
    })),
    input_references: chooseReferences(request, endpoint),
    options: request.provider.options[endpoint.provider] ?? {},
  };
}

function formatOfRequest(request: VideoRequest, endpoint: VideoEndpoint): FrameFormat {
  const named = request.size === undefined ? undefined : formatNamed(request.size);
  return (
    named ??
    frameFormat(
      request.resolution ?? endpoint.default_resolution,
      request.aspect_ratio ?? endpoint.default_aspect_ratio,
    )
  );
}

function usualDuration(endpoint: VideoEndpoint, { resolution }: FrameFormat): number {
  const supported = durationsOf(endpoint, resolution);
  return supported.includes(endpoint.default_duration) ? endpoint.default_duration : Math.min(...supported);
}

/** Frame images win when both kinds are given. Kinds that the endpoint ignores are left out, as documented. */
function chooseReferences(
  request: VideoRequest,
  endpoint: VideoEndpoint,
): RequestedVideo['input_references'] {
  if (request.frame_images.length > 0) return [];
  return request.input_references
    .map((reference) => {
      if (reference.type === 'image_url') return { kind: 'image' as const, url: reference.image_url.url };
      if (reference.type === 'audio_url') return { kind: 'audio' as const, url: reference.audio_url.url };
      return { kind: 'video' as const, url: reference.video_url.url };
    })
    .filter((reference) => endpoint.input_references.includes(reference.kind));
}

/** What a submit holds, which is the most that the job can cost its caller. */
export function priceOf(video: RequestedVideo, model: VideoEndpoint): Micros {
  const { by_resolution, ...usual } = model.price_per_second;
  const named =
    by_resolution === undefined ? undefined : by_resolution[formatOf(video.width, video.height).resolution];
  const { silent, with_audio } = named ?? usual;
  return times(video.generate_audio ? with_audio : silent, video.duration_seconds);
}
