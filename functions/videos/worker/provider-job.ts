import { defined } from '../../defined.ts';
import type { VideoEndpoint } from '../catalogue/endpoint.ts';
import { formatOf } from '../catalogue/frame-size.ts';
import type { RequestedVideo } from '../catalogue/requested-video.ts';
import type { Job } from '../jobs/job.ts';
import type { ProviderJob } from '../providers/provider.ts';

/** A job in the terms of the adapters. */
export function providerJob({ id }: Job, request: RequestedVideo, endpoint: VideoEndpoint): ProviderJob {
  const { width, height, resolution, aspectRatio } = formatOf(request.width, request.height);
  return {
    id,
    upstreamModel: endpoint.upstream,
    dialect: endpoint.dialect,
    prompt: request.prompt,
    width,
    height,
    resolution,
    aspectRatio,
    durationSeconds: request.duration_seconds,
    ...defined({ seed: request.seed }),
    generateAudio: request.generate_audio,
    frameImages: request.frame_images.map(({ frame_type, url }) => ({ frameType: frame_type, url })),
    inputReferences: request.input_references,
    options: request.options,
  };
}
