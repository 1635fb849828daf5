import { invalidField } from '../../http/invalid-field.ts';
import { durationsOf, type VideoModel } from './catalogue.ts';
import { type FrameFormat, frameFormat, frameFormats, sizeName } from './frame-size.ts';
import type { RequestedVideo } from './requested-video.ts';
import type { VideoRequest } from './video-request.ts';

/**
 * What is asked of this model, with its defaults filled in. Whatever the model cannot do is refused with
 * what it can, before anything is stored or billed; nothing is dropped silently.
 */
export function fitToModel(request: VideoRequest, model: VideoModel): RequestedVideo {
  const format = chooseFormat(request, model);
  return {
    prompt: request.prompt,
    width: format.width,
    height: format.height,
    duration_seconds: chooseDuration(request, model, format),
    ...chooseSeed(request, model),
    generate_audio: chooseAudio(request, model),
    frame_images: chooseFrames(request, model),
    input_references: chooseReferences(request, model),
    options: chooseOptions(request, model),
  };
}

function unsupported(path: string, value: unknown, model: VideoModel, supported: readonly unknown[]) {
  const rule = `${value} is not supported by ${model.id}; supported: ${listed(supported)}`;
  return invalidField(path, rule, { supported });
}

/** A run of whole numbers is easier read as its ends. */
function listed(values: readonly unknown[]): string {
  const [first] = values;
  const isRun = values.length > 2 && values.every((value, i) => value === Number(first) + i);
  return isRun ? `${first} to ${values.at(-1)}` : values.join(', ');
}

function chooseFormat(request: VideoRequest, model: VideoModel): FrameFormat {
  const { resolution, aspect_ratio: aspectRatio } = request;
  if (resolution !== undefined && !model.resolutions.includes(resolution)) {
    throw unsupported('resolution', resolution, model, model.resolutions);
  }
  if (aspectRatio !== undefined && !model.aspect_ratios.includes(aspectRatio)) {
    throw unsupported('aspect_ratio', aspectRatio, model, model.aspect_ratios);
  }
  if (request.size === undefined) {
    return frameFormat(resolution ?? model.default_resolution, aspectRatio ?? model.default_aspect_ratio);
  }
  const formats = frameFormats(model.resolutions, model.aspect_ratios);
  const sized = formats.find((format) => sizeName(format) === request.size);
  if (sized === undefined) throw unsupported('size', request.size, model, formats.map(sizeName));
  if (
    (resolution !== undefined && resolution !== sized.resolution) ||
    (aspectRatio !== undefined && aspectRatio !== sized.aspectRatio)
  ) {
    throw invalidField(
      'size',
      `${request.size} is ${sized.resolution} at ${sized.aspectRatio}, which contradicts resolution or aspect_ratio; send either size or the other two`,
    );
  }
  return sized;
}

function chooseDuration({ duration }: VideoRequest, model: VideoModel, { resolution }: FrameFormat): number {
  const supported = durationsOf(model, resolution);
  if (duration === undefined) {
    return supported.includes(model.default_duration) ? model.default_duration : Math.min(...supported);
  }
  if (supported.includes(duration)) return duration;
  if (!model.durations.includes(duration)) throw unsupported('duration', duration, model, model.durations);
  throw unsupported('duration', `${duration} at ${resolution}`, model, supported);
}

function chooseSeed({ seed }: VideoRequest, model: VideoModel): { seed?: number } {
  if (seed === undefined) return {};
  if (!model.seed) throw invalidField('seed', `${model.id} does not support a seed; leave it out`);
  return { seed };
}

function chooseAudio({ generate_audio: asked }: VideoRequest, model: VideoModel): boolean {
  const choices = { always: [true], toggle: [false, true], never: [false] }[model.audio];
  if (asked === undefined) return model.audio !== 'never';
  if (!choices.includes(asked)) throw unsupported('generate_audio', asked, model, choices);
  return asked;
}

/** Only what the row lets through, so that nothing here can change what is asked, priced or called back. */
function chooseOptions(request: VideoRequest, model: VideoModel): RequestedVideo['options'] {
  const options = request.provider.options[model.provider] ?? {};
  for (const name of Object.keys(options)) {
    if (!model.passthrough.includes(name)) {
      throw unsupported(`provider.options.${model.provider}`, name, model, model.passthrough);
    }
  }
  return options;
}

function chooseFrames(request: VideoRequest, model: VideoModel): RequestedVideo['frame_images'] {
  const types = request.frame_images.map((image) => image.frame_type);
  for (const type of types) {
    if (!model.frame_images.includes(type))
      throw unsupported('frame_images', type, model, model.frame_images);
  }
  if (new Set(types).size < types.length) {
    throw invalidField('frame_images', 'must hold at most one image of each frame_type');
  }
  return request.frame_images.map((image) => ({ frame_type: image.frame_type, url: image.image_url.url }));
}

/** Frame images win when both kinds are given. Kinds that the model ignores are left out, as documented. */
function chooseReferences(request: VideoRequest, model: VideoModel): RequestedVideo['input_references'] {
  if (request.frame_images.length > 0) return [];
  return request.input_references
    .map((reference) => {
      if (reference.type === 'image_url') return { kind: 'image' as const, url: reference.image_url.url };
      if (reference.type === 'audio_url') return { kind: 'audio' as const, url: reference.audio_url.url };
      return { kind: 'video' as const, url: reference.video_url.url };
    })
    .filter((reference) => model.input_references.includes(reference.kind));
}
