import * as v from 'valibot';
import { priceSchema } from '../../money/micros.ts';
import { ASPECT_RATIOS, RESOLUTIONS, type Resolution } from './frame-size.ts';

const priceEntries = { silent: priceSchema, with_audio: priceSchema };

/** Prices for a second of video; where resolutions have different prices, each has its own. */
export const pricesSchema = v.strictObject({
  ...priceEntries,
  by_resolution: v.exactOptional(v.record(v.picklist(RESOLUTIONS), v.strictObject(priceEntries))),
});

const durations = v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(1))), v.minLength(1));

const name = v.pipe(v.string(), v.regex(/^[a-z0-9.-]+\/[a-z0-9.-]+$/));

/** A row, before the rules that concern several of its fields. */
export const rowSchema = v.strictObject({
  id: name,
  /** The model that callers see it under. @default its own id */
  model: v.exactOptional(name),
  name: v.string(),
  description: v.string(),
  /** Seconds since the epoch, as public clients expect it. */
  created: v.pipe(v.number(), v.integer()),
  provider: v.string(),
  /** The provider's own name of the model. */
  upstream: v.string(),
  /** What else the provider's adapter must know of the model. The adapter defines what it may be. */
  dialect: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])), {}),
  durations,
  /** For resolutions that can be made in some durations only. */
  durations_by_resolution: v.exactOptional(v.record(v.picklist(RESOLUTIONS), durations)),
  default_duration: v.number(),
  resolutions: v.pipe(v.array(v.picklist(RESOLUTIONS)), v.minLength(1)),
  default_resolution: v.picklist(RESOLUTIONS),
  aspect_ratios: v.pipe(v.array(v.picklist(ASPECT_RATIOS)), v.minLength(1)),
  default_aspect_ratio: v.picklist(ASPECT_RATIOS),
  frame_images: v.array(v.picklist(['first_frame', 'last_frame'])),
  input_references: v.array(v.picklist(['image', 'audio', 'video'])),
  seed: v.boolean(),
  audio: v.picklist(['always', 'toggle', 'never']),
  price_per_second: pricesSchema,
  /** Names that `provider.options.<provider>` may hold. */
  passthrough: v.array(v.string()),
  /** How long a job may take here before it is given up as expired. */
  deadline_seconds: v.pipe(v.number(), v.integer(), v.minValue(60)),
  /** Seconds from a submit to its video, used until this deployment has measured enough. */
  typical_seconds: v.exactOptional(v.pipe(v.number(), v.minValue(1))),
  /** Of the endpoints of one model those with a higher number are better; among equals the first is. */
  quality: v.optional(v.number(), 0),
  /** When the vendor stops running it. */
  eol_at: v.exactOptional(v.pipe(v.string(), v.isoDate())),
});

/**
 * A model at one provider: what it can do there and what it costs. Rows are data, so that a deployer edits no code to
 * add one.
 */
export const endpointSchema = v.pipe(
  rowSchema,
  v.check(
    (row) =>
      durationsOf(row, row.default_resolution).includes(row.default_duration) &&
      row.resolutions.includes(row.default_resolution) &&
      row.aspect_ratios.includes(row.default_aspect_ratio),
    'has a default that it does not support',
  ),
);
export type VideoEndpoint = Readonly<v.InferOutput<typeof endpointSchema>>;

/** In seconds, at one resolution. */
export function durationsOf(
  endpoint: Pick<v.InferOutput<typeof rowSchema>, 'durations' | 'durations_by_resolution'>,
  resolution: Resolution,
): readonly number[] {
  return endpoint.durations_by_resolution?.[resolution] ?? endpoint.durations;
}

/** The name by which callers know its model. */
export const modelOf = ({ id, model = id }: Pick<VideoEndpoint, 'id' | 'model'>): string => model;
