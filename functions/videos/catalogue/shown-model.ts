import * as v from 'valibot';
import { count } from '../../http/answer-schemas.ts';
import { ASPECT_RATIOS, RESOLUTIONS } from './frame-size.ts';

const seconds = v.array(v.pipe(v.number(), v.integer(), v.minValue(1)));
const resolution = v.picklist(RESOLUTIONS);

/** A model as `GET /videos/models` shows it. */
export const shownModelSchema = v.object({
  id: v.string(),
  canonical_slug: v.string(),
  name: v.string(),
  description: v.string(),
  created: v.pipe(count, v.description('Unix seconds')),
  supported_durations: seconds,
  supported_durations_by_resolution: v.optional(
    v.pipe(v.record(v.string(), seconds), v.description('Where a resolution allows fewer')),
  ),
  supported_resolutions: v.array(resolution),
  supported_aspect_ratios: v.array(v.picklist(ASPECT_RATIOS)),
  supported_sizes: v.array(v.string()),
  supported_frame_images: v.array(v.picklist(['first_frame', 'last_frame'])),
  generate_audio: v.boolean(),
  seed: v.boolean(),
  creativity: v.null(),
  upscale_factor: v.null(),
  allowed_passthrough_parameters: v.array(v.string()),
  pricing_skus: v.pipe(v.record(v.string(), v.string()), v.description('USD for a second of video')),
  eol_at: v.optional(v.pipe(v.string(), v.isoDate(), v.description('From when on it is no longer run'))),
});
