import { defined } from '../../defined.ts';
import { type InvalidRequest, invalidField } from '../../http/errors.ts';
import { A_FEW_FRAMES, rounded, sourceOf, wrongSource } from './continuation.ts';
import { type FrameFormat, formatLike, formatNamed, frameFormat } from './frame-size.ts';
import { beside, giverOf, type InputKind, inputKinds, wrongTogether } from './input-limits.ts';
import { durationsOf, type Offer, sizesOf } from './offer.ts';
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

/**
 * The first thing that this offer cannot do; undefined where it can do exactly this.
 * @param asked the request as it came, if this one has been completed since
 */
export function misfitOf(request: VideoRequest, offer: Offer, asked = request): Misfit | undefined {
  return (
    wrongPicture(request, offer) ??
    wrongSeed(request, offer) ??
    (request.previous_job_id === undefined && request.continuation === undefined
      ? (wrongFrames(request, offer) ?? wrongReferences(request, offer))
      : wrongSource(request, offer)) ??
    wrongTogether(request, offer) ??
    wrongBesideInputs(request, offer) ??
    wrongShape(asked, offer) ??
    wrongPrompt(request, offer) ??
    wrongOptions(request, offer)
  );
}

const wrongPicture = (request: VideoRequest, offer: Offer): Misfit | undefined =>
  wrongFormat(request, offer) ?? wrongDuration(request, offer) ?? wrongAudio(request, offer);

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
  return isRun ? `${first} to ${values.at(-1)}` : values.join(', ') || 'none';
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
  const supported = sizesOf(offer);
  if (named === undefined || !supported.includes(size)) return unsupported('size', size, supported);
  return (resolution ?? named.resolution) === named.resolution &&
    (aspectRatio ?? named.aspectRatio) === named.aspectRatio
    ? undefined
    : {
        path: 'size',
        rule: () =>
          `${size} is ${named.resolution} at ${named.aspectRatio}, which contradicts resolution or aspect_ratio; send either size or the other two`,
      };
}

function wrongDuration(request: VideoRequest, offer: Offer): Misfit | undefined {
  const { duration } = request;
  if (duration === undefined || giverOf(request, offer, 'durations') !== undefined) return undefined;
  if (!offer.durations.includes(duration)) return unsupported('duration', duration, offer.durations);
  const { resolution } = formatOfRequest(request, offer);
  const supported = durationsOf(offer, resolution);
  if (supported.includes(duration)) return undefined;
  return unsupported('duration', `${duration} at ${resolution}`, supported);
}

function wrongSeed({ seed }: VideoRequest, offer: Offer): Misfit | undefined {
  if (seed === undefined || offer.seed) return undefined;
  return { path: 'seed', rule: (name) => `${name} does not support a seed; omit it` };
}

const AUDIO_CHOICES = { always: [true], toggle: [false, true], never: [false] } as const;

function wrongAudio({ generate_audio: asked }: VideoRequest, { audio }: Offer): Misfit | undefined {
  const choices: readonly boolean[] = AUDIO_CHOICES[audio];
  if (asked === undefined || choices.includes(asked)) return undefined;
  return unsupported('generate_audio', asked, choices);
}

function wrongFrames({ frame_images: images }: VideoRequest, offer: Offer): Misfit | undefined {
  if (offer.needs_source) {
    return {
      path: 'previous_job_id',
      rule: (name) => `${name} requires a completed video to edit or extend; send its ID`,
    };
  }
  const types = images.map((image) => image.frame_type);
  const wrong = types.find((type) => !offer.frame_images.includes(type));
  if (wrong !== undefined) return unsupported('frame_images', wrong, offer.frame_images);
  if (new Set(types).size !== types.length) {
    return { path: 'frame_images', rule: () => 'must have at most one image of each frame_type' };
  }
  if (offer.needs_first_frame && !types.includes('first_frame')) {
    return { path: 'frame_images', rule: (name) => `${name} requires a first_frame` };
  }
  if (offer.last_frame_needs_first !== true || types.join() !== 'last_frame') return undefined;
  return { path: 'frame_images', rule: (name) => `${name} accepts a last_frame only with a first_frame` };
}

/** Counts what the offer would get; kinds that it ignores do not matter. */
function wrongReferences(request: VideoRequest, offer: Offer): Misfit | undefined {
  const limits = offer.reference_limits;
  if (limits === undefined) return undefined;
  const given = chooseReferences(request, offer);
  const tooMany = (count: number, limit: number, kind: string, where: string): Misfit | undefined =>
    count <= limit
      ? undefined
      : {
          path: 'input_references',
          rule: (name) =>
            `${name} accepts at most ${limit} ${kind}${limit === 1 ? 'reference' : 'references'}${where}, not ${count}`,
        };
  const count = (kind: 'image' | 'audio' | 'video') => given.filter((each) => each.kind === kind).length;
  const ofKind = (kind: 'image' | 'audio' | 'video', limit = limits[kind]?.most, where = '') =>
    tooMany(count(kind), limit ?? given.length, `${kind} `, where);
  const besideClip = count('video') > 0 ? limits.image?.beside_clip : undefined;
  const isAlone = given.length > 0 && given.every(({ kind }) => kind === 'audio');
  return (
    ofKind('image') ??
    ofKind('image', besideClip, ' alongside a video reference') ??
    ofKind('audio') ??
    ofKind('video') ??
    tooMany(given.length, limits.total ?? given.length, '', ' in total') ??
    tooLong(given, limits.video?.seconds) ??
    (limits.audio_alone || !isAlone
      ? undefined
      : {
          path: 'input_references',
          rule: (name) => `${name} does not accept audio clips alone; add an image`,
        })
  );
}

/** Counts the clips whose length is known. */
function tooLong(given: RequestedVideo['input_references'], limit: number | undefined): Misfit | undefined {
  const seconds = given.reduce((sum, each) => sum + (each.kind === 'video' ? (each.seconds ?? 0) : 0), 0);
  if (limit === undefined || seconds <= limit + A_FEW_FRAMES) return undefined;
  const rule = (name: string) => `${name} accepts at most ${limit} s of video, not ${rounded(seconds)}`;
  return { path: 'input_references', rule };
}

/** What it can do otherwise, but not with these inputs. */
function wrongBesideInputs(request: VideoRequest, offer: Offer): Misfit | undefined {
  const kinds = inputKinds(request, offer);
  const misfit = wrongPicture(request, beside(kinds, offer));
  const { continuation } = sourceOf(request) ?? {};
  const why = continuation === undefined ? `with ${kinds.join(' and ')}` : `when it ${continuation}s a video`;
  return misfit && { ...misfit, rule: (name) => misfit.rule(`${name} ${why}`) };
}

/** What the video has of an input may not be asked for. */
function wrongShape(asked: VideoRequest, offer: Offer): Misfit | undefined {
  const path = asked.size === undefined || asked.size_may_yield ? 'aspect_ratio' : 'size';
  const takesResolution = giverOf(asked, offer, 'resolutions') === undefined;
  const instead = path === 'size' && takesResolution ? 'send resolution instead' : undefined;
  return (
    inherited('duration', 'duration', asked, giverOf(asked, offer, 'durations')) ??
    inherited('resolution', 'resolution', asked, giverOf(asked, offer, 'resolutions')) ??
    inherited(path, 'aspect ratio', asked, giverOf(asked, offer, 'aspect_ratios'), instead)
  );
}

function inherited(
  path: 'duration' | 'resolution' | 'size' | 'aspect_ratio',
  what: string,
  asked: VideoRequest,
  giver: InputKind | undefined,
  instead = `omit ${path}`,
): Misfit | undefined {
  if (giver === undefined || asked[path] === undefined) return undefined;
  return { path, rule: (name) => `${name} takes the ${what} from ${inputName(asked, giver)}; ${instead}` };
}

const inputName = (asked: VideoRequest, giver: InputKind): string =>
  sourceOf(asked)?.jobId ?? `the ${giver.replace('_', ' ')} in the request`;

/** What is not done as it was asked although the request is accepted. */
export function yieldsOf(asked: VideoRequest, offer: Offer): string[] {
  const kind = giverOf(asked, offer, 'aspect_ratios');
  if (asked.size === undefined || kind === undefined) return [];
  return [
    `size: the video has the aspect ratio of ${inputName(asked, kind)}; the aspect ratio of ${asked.size} has no effect`,
  ];
}

function wrongPrompt({ prompt }: VideoRequest, { prompt_limit: limit }: Offer): Misfit | undefined {
  if (limit === undefined || prompt.length <= limit) return undefined;
  return {
    path: 'prompt',
    rule: (name) => `must have at most ${limit} UTF-16 code units for ${name}, not ${prompt.length}`,
  };
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
export function withDefaults(request: VideoRequest, whole: Offer): RequestedVideo {
  const offer = beside(inputKinds(request, whole), whole);
  const format = formatOfRequest(request, offer);
  return {
    prompt: request.prompt,
    width: format.width,
    height: format.height,
    duration_seconds: durationOf(request, offer, format),
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
  if (named !== undefined) return named;
  const resolution = request.resolution ?? usual(offer.default_resolution, offer.resolutions);
  const aspectRatio = request.aspect_ratio ?? usual(offer.default_aspect_ratio, offer.aspect_ratios);
  const source = sourceOf(request);
  if (source === undefined) return frameFormat(resolution, aspectRatio);
  const { width, height } = source;
  const resolutions = giverOf(request, offer, 'resolutions') === undefined ? [resolution] : offer.resolutions;
  // Of a video whose size is not known the largest is expected, because it costs most.
  const largest = frameFormat(resolutions.at(-1) ?? resolution, aspectRatio);
  if (width === undefined || height === undefined) return largest;
  return formatLike({ width, height }, resolutions, offer.aspect_ratios) ?? largest;
}

/** As an edited video stays as long as it is, the longest that can be edited stands for one of unknown length. */
function durationOf(request: VideoRequest, offer: Offer, format: FrameFormat): number {
  const source = sourceOf(request);
  if (source === undefined || giverOf(request, offer, 'durations') === undefined) {
    return request.duration ?? usualDuration(offer, format);
  }
  return Math.ceil(source.seconds ?? offer.continuations?.[source.continuation]?.source_seconds.most ?? 1);
}

/** The default, where the inputs leave it. */
const usual = <T>(preferred: T, supported: readonly T[]): T =>
  supported.includes(preferred) ? preferred : (supported.at(-1) ?? preferred);

function usualDuration(offer: Offer, { resolution }: FrameFormat): number {
  const supported = durationsOf(offer, resolution);
  return supported.includes(offer.default_duration) ? offer.default_duration : Math.min(...supported);
}

/** Frame images win when both kinds are given. Kinds that the offer ignores are left out, as documented. */
function chooseReferences(request: VideoRequest, offer: Offer): RequestedVideo['input_references'] {
  const source = sourceOf(request);
  if (source !== undefined) {
    return [{ kind: source.continuation, url: source.jobId, ...defined({ seconds: source.seconds }) }];
  }
  if (request.frame_images.length > 0) return [];
  return request.input_references
    .map((reference) => {
      if (reference.type === 'image_url') return { kind: 'image' as const, url: reference.image_url.url };
      if (reference.type === 'audio_url') return { kind: 'audio' as const, url: reference.audio_url.url };
      const { url } = reference.video_url;
      return { kind: 'video' as const, url, ...defined({ seconds: request.earlier?.get(url)?.seconds }) };
    })
    .filter((reference) => offer.input_references.includes(reference.kind));
}
