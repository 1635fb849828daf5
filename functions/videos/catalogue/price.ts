import type { VideoEndpoint } from './endpoint.ts';
import { formatOf } from './frame-size.ts';
import type { RequestedVideo } from './requested-video.ts';

/** Micro-dollars: what a submit holds, and with that the most that the job can cost its caller. */
export function priceOf(video: RequestedVideo, model: VideoEndpoint): number {
  const { by_resolution, ...usual } = model.price_per_second;
  const named =
    by_resolution === undefined ? undefined : by_resolution[formatOf(video.width, video.height).resolution];
  const { silent, with_audio } = named ?? usual;
  return video.duration_seconds * (video.generate_audio ? with_audio : silent);
}
