import * as v from 'valibot';
import { ASPECT_RATIOS, RESOLUTIONS, type Resolution } from './frame-size.ts';

const micros = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** Micro-dollars. */
const priceEntries = { silent: micros, with_audio: micros };

/** For a second of video; where resolutions differ in it, those named have their own. */
export const priceSchema = v.strictObject({
  ...priceEntries,
  by_resolution: v.exactOptional(v.record(v.picklist(RESOLUTIONS), v.strictObject(priceEntries))),
});

const durations = v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(1))), v.minLength(1));

const name = v.pipe(v.string(), v.regex(/^[a-z0-9.-]+\/[a-z0-9.-]+$/));

/** A row without what follows from several of its fields. */
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
  /** What else the provider's adapter must know of the model; the adapter says what that may be. */
  dialect: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])), {}),
  durations,
  /** Where a resolution can be made in some of them only. */
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
  price_per_second: priceSchema,
  /** Names that `provider.options.<provider>` may hold. */
  passthrough: v.array(v.string()),
  /** How long a job may take here before it is given up as expired. */
  deadline_seconds: v.pipe(v.number(), v.integer(), v.minValue(60)),
  /** From a submit to its video, as long as this deployment has measured too little to know. */
  typical_seconds: v.exactOptional(v.pipe(v.number(), v.minValue(1))),
  /** Among the endpoints of one model the higher ones are better, and those that come first where they are alike. */
  quality: v.optional(v.number(), 0),
  /** From when on the vendor no longer runs it. */
  eol_at: v.exactOptional(v.pipe(v.string(), v.isoDate())),
});

/**
 * A model at one provider: what it can do there and what it costs. Rows are data, so that a deployer edits no
 * code to add one.
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

/** The name that callers know its model by. */
export const modelOf = ({ id, model = id }: Pick<VideoEndpoint, 'id' | 'model'>): string => model;
