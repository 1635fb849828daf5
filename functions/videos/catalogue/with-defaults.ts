import { defined } from '../../defined.ts';
import { durationsOf, type VideoEndpoint } from './endpoint.ts';
import { type FrameFormat, formatNamed, frameFormat } from './frame-size.ts';
import type { RequestedVideo } from './requested-video.ts';
import type { VideoRequest } from './video-request.ts';

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
