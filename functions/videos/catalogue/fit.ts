import { defined } from '../../defined.ts';
import { type InvalidRequest, invalidField } from '../../http/errors.ts';
import { type FrameFormat, formatNamed, frameFormat, frameFormats, sizeName } from './frame-size.ts';
import { durationsOf, type Offer } from './offer.ts';
import type { RequestedVideo } from './requested-video.ts';
import type { VideoRequest } from './video-request.ts';

/**
 * The part of a request that an offer cannot do. It is not thrown, because most requests meet offers that cannot
 * do them.
 */
export interface Misfit {
  readonly path: string;
  /** @param name by which the caller knows the offer */
  rule(name: string): string;
  readonly supported?: readonly unknown[];
}

/** The first thing that this offer cannot do; undefined where it can do exactly this. */
export function misfitOf(request: VideoRequest, offer: Offer): Misfit | undefined {
  return (
    wrongFormat(request, offer) ??
    wrongDuration(request, offer) ??
    wrongSeed(request, offer) ??
    wrongAudio(request, offer) ??
    wrongFrames(request, offer) ??
    wrongOptions(request, offer)
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

function wrongFormat(request: VideoRequest, offer: Offer): Misfit | undefined {
  const { size, resolution, aspect_ratio: aspectRatio } = request;
  const { resolutions, aspect_ratios: aspectRatios } = offer;
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

function wrongDuration({ duration, size, resolution: asked }: VideoRequest, offer: Offer) {
  if (duration === undefined) return undefined;
  if (!offer.durations.includes(duration)) return unsupported('duration', duration, offer.durations);
  const named = size === undefined ? undefined : formatNamed(size)?.resolution;
  const resolution = named ?? asked ?? offer.default_resolution;
  const supported = durationsOf(offer, resolution);
  if (supported.includes(duration)) return undefined;
  return unsupported('duration', `${duration} at ${resolution}`, supported);
}

function wrongSeed({ seed }: VideoRequest, offer: Offer): Misfit | undefined {
  if (seed === undefined || offer.seed) return undefined;
  return { path: 'seed', rule: (name) => `${name} does not support a seed; leave it out` };
}

const AUDIO_CHOICES = { always: [true], toggle: [false, true], never: [false] } as const;

function wrongAudio({ generate_audio: asked }: VideoRequest, { audio }: Offer): Misfit | undefined {
  const choices: readonly boolean[] = AUDIO_CHOICES[audio];
  if (asked === undefined || choices.includes(asked)) return undefined;
  return unsupported('generate_audio', asked, choices);
}

function wrongFrames({ frame_images: images }: VideoRequest, offer: Offer): Misfit | undefined {
  const types = images.map((image) => image.frame_type);
  const wrong = types.find((type) => !offer.frame_images.includes(type));
  if (wrong !== undefined) return unsupported('frame_images', wrong, offer.frame_images);
  if (new Set(types).size === types.length) return undefined;
  return { path: 'frame_images', rule: () => 'must hold at most one image of each frame_type' };
}

/** Only names that the row lists, so that no option can change what is asked, priced or called back. */
function wrongOptions(request: VideoRequest, { provider, passthrough }: Offer): Misfit | undefined {
  const options = request.provider.options[provider];
  if (options === undefined) return undefined;
  const wrong = Object.keys(options).find((name) => !passthrough.includes(name));
  return wrong === undefined ? undefined : unsupported(`provider.options.${provider}`, wrong, passthrough);
}

/**
 * A request with the offer's defaults filled in. It must be one that the offer can do: nothing is dropped silently.
 */
export function withDefaults(request: VideoRequest, offer: Offer): RequestedVideo {
  const format = formatOfRequest(request, offer);
  return {
    prompt: request.prompt,
    width: format.width,
    height: format.height,
    duration_seconds: request.duration ?? usualDuration(offer, format),
    ...defined({ seed: request.seed }),
    generate_audio: request.generate_audio ?? offer.audio !== 'never',
    frame_images: request.frame_images.map((image) => ({
      frame_type: image.frame_type,
      url: image.image_url.url,
    })),
    input_references: chooseReferences(request, offer),
    options: request.provider.options[offer.provider] ?? {},
  };
}

function formatOfRequest(request: VideoRequest, offer: Offer): FrameFormat {
  const named = request.size === undefined ? undefined : formatNamed(request.size);
  return (
    named ??
    frameFormat(
      request.resolution ?? offer.default_resolution,
      request.aspect_ratio ?? offer.default_aspect_ratio,
    )
  );
}

function usualDuration(offer: Offer, { resolution }: FrameFormat): number {
  const supported = durationsOf(offer, resolution);
  return supported.includes(offer.default_duration) ? offer.default_duration : Math.min(...supported);
}

/** Frame images win when both kinds are given. Kinds that the offer ignores are left out, as documented. */
function chooseReferences(request: VideoRequest, offer: Offer): RequestedVideo['input_references'] {
  if (request.frame_images.length > 0) return [];
  return request.input_references
    .map((reference) => {
      if (reference.type === 'image_url') return { kind: 'image' as const, url: reference.image_url.url };
      if (reference.type === 'audio_url') return { kind: 'audio' as const, url: reference.audio_url.url };
      return { kind: 'video' as const, url: reference.video_url.url };
    })
    .filter((reference) => offer.input_references.includes(reference.kind));
}
