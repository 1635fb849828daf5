import type { VideoModel } from './catalogue.ts';
import type { RequestedVideo } from './job.ts';

/** Micro-dollars. The estimate at submission and, unless the provider says otherwise, the cost at the end. */
export function priceOf(video: RequestedVideo, model: VideoModel): number {
  const { silent, with_audio } = model.price_per_second;
  return video.duration_seconds * (video.generate_audio ? with_audio : silent);
}
