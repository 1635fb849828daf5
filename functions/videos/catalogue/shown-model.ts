import * as v from 'valibot';
import { count } from '../../http/answer-schemas.ts';
import { ASPECT_RATIOS, RESOLUTIONS } from './frame-size.ts';

const referenceKind = v.picklist(['image', 'audio', 'video']);
const frame = v.picklist(['first_frame', 'last_frame']);
const prices = v.record(v.string(), v.string());
const seconds = v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(1))), v.description('In seconds'));
const resolution = v.picklist(RESOLUTIONS);

const shownModelEndpointSchema = v.object({
  id: v.pipe(v.string(), v.description('In place of the model it pins this endpoint')),
  provider: v.string(),
  name: v.string(),
  price: v.pipe(prices, v.description('USD for a second of video')),
  supported_durations: seconds,
  supported_durations_by_resolution: v.optional(v.record(v.string(), seconds)),
  supported_resolutions: v.array(resolution),
  supported_aspect_ratios: v.array(v.picklist(ASPECT_RATIOS)),
  supported_frame_images: v.array(frame),
  supported_input_references: v.array(referenceKind),
  audio: v.picklist(['always', 'toggle', 'never']),
  seed: v.boolean(),
  allowed_passthrough_parameters: v.array(v.string()),
  status: v.pipe(
    v.picklist(['available', 'resting']),
    v.description('`resting`: it does not answer just now'),
  ),
  latency_p50: v.nullable(v.pipe(v.number(), v.description('Seconds, of the last week here'))),
  success_rate: v.nullable(
    v.pipe(v.number(), v.minValue(0), v.maxValue(1), v.description('The share of jobs that completed')),
  ),
  samples: v.pipe(count, v.description('The jobs that these figures are of')),
  eol_at: v.optional(v.pipe(v.string(), v.isoDate())),
});

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
  supported_frame_images: v.array(frame),
  supported_input_references: v.array(referenceKind),
  generate_audio: v.pipe(v.boolean(), v.description('Whether its videos can have sound')),
  seed: v.pipe(v.boolean(), v.description('Whether it takes a seed')),
  creativity: v.null(),
  upscale_factor: v.null(),
  allowed_passthrough_parameters: v.pipe(
    v.array(v.string()),
    v.description('Names that `provider.options.<provider>` may hold'),
  ),
  pricing_skus: v.pipe(prices, v.description('USD for a second of video, at the cheapest endpoint')),
  data_discount: v.optional(
    v.pipe(
      v.number(),
      v.description(
        'The share of these prices that is taken off for workspaces with `is_data_discount_logging_enabled`, but for jobs on provider keys of their own; absent where there is none',
      ),
    ),
  ),
  defaults: v.object({
    duration: v.number(),
    resolution,
    aspect_ratio: v.picklist(ASPECT_RATIOS),
    generate_audio: v.boolean(),
  }),
  endpoints: v.array(shownModelEndpointSchema),
  eol_at: v.optional(v.pipe(v.string(), v.isoDate(), v.description('From when on it is no longer run'))),
});
