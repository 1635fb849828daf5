import type { VideoModel } from './catalogue.ts';
import { formatOf } from './frame-size.ts';
import type { RequestedVideo } from './requested-video.ts';

/** Micro-dollars. The estimate at submission and, unless the provider says otherwise, the cost at the end. */
export function priceOf(video: RequestedVideo, model: VideoModel): number {
  const { by_resolution, ...usual } = model.price_per_second;
  const named =
    by_resolution === undefined ? undefined : by_resolution[formatOf(video.width, video.height).resolution];
  const { silent, with_audio } = named ?? usual;
  return video.duration_seconds * (video.generate_audio ? with_audio : silent);
}
