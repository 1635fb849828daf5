import type { VideoModel } from './catalogue.ts';
import type { Job } from './job.ts';
import type { ProviderJob } from './providers/provider.ts';

/** A job in the terms of the adapters. */
export function providerJob({ id, request }: Job, model: VideoModel): ProviderJob {
  return {
    id,
    upstreamModel: model.upstream,
    prompt: request.prompt,
    width: request.width,
    height: request.height,
    durationSeconds: request.duration_seconds,
    ...(request.seed === undefined ? {} : { seed: request.seed }),
    generateAudio: request.generate_audio,
    frameImages: request.frame_images.map(({ frame_type, url }) => ({ frameType: frame_type, url })),
    inputReferences: request.input_references,
    options: request.options,
  };
}
