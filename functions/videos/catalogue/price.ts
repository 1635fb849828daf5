import { type Micros, times } from '../../money/micros.ts';
import type { VideoEndpoint } from './endpoint.ts';
import { formatOf } from './frame-size.ts';
import type { RequestedVideo } from './requested-video.ts';

/** What a submit holds, which is the most that the job can cost its caller. */
export function priceOf(video: RequestedVideo, model: VideoEndpoint): Micros {
  const { by_resolution, ...usual } = model.price_per_second;
  const named =
    by_resolution === undefined ? undefined : by_resolution[formatOf(video.width, video.height).resolution];
  const { silent, with_audio } = named ?? usual;
  return times(video.generate_audio ? with_audio : silent, video.duration_seconds);
}
