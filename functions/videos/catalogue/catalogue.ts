import * as v from 'valibot';
import { ASPECT_RATIOS, RESOLUTIONS, type Resolution } from './frame-size.ts';
import models from './models.json' with { type: 'json' };

const micros = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** Micro-dollars. */
const priceEntries = { silent: micros, with_audio: micros };

const durations = v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(1))), v.minLength(1));

/** What a model can do and what it costs. Rows are data, so that a deployer edits no code to add one. */
const modelSchema = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^[a-z0-9.-]+\/[a-z0-9.-]+$/)),
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
  /** For a second of video; where resolutions differ in it, those named have their own. */
  price_per_second: v.strictObject({
    ...priceEntries,
    by_resolution: v.exactOptional(v.record(v.picklist(RESOLUTIONS), v.strictObject(priceEntries))),
  }),
  /** Names that `provider.options.<provider>` may hold. */
  passthrough: v.array(v.string()),
  /** How long a job of this model may take before it is given up as expired. */
  deadline_seconds: v.pipe(v.number(), v.integer(), v.minValue(60)),
  /** From when on the vendor no longer runs it. */
  eol_at: v.exactOptional(v.pipe(v.string(), v.isoDate())),
});
export type VideoModel = Readonly<v.InferOutput<typeof modelSchema>>;

/** In seconds, at one resolution. */
export const durationsOf = (
  model: Pick<VideoModel, 'durations' | 'durations_by_resolution'>,
  resolution: Resolution,
): readonly number[] => model.durations_by_resolution?.[resolution] ?? model.durations;

export const catalogueSchema = v.array(
  v.pipe(
    modelSchema,
    v.check(
      (model) =>
        durationsOf(model, model.default_resolution).includes(model.default_duration) &&
        model.resolutions.includes(model.default_resolution) &&
        model.aspect_ratios.includes(model.default_aspect_ratio),
      'has a default that it does not support',
    ),
  ),
);

const catalogue: ReadonlyMap<string, VideoModel> = new Map(
  v.parse(catalogueSchema, models).map((model) => [model.id, model]),
);

export const allModels = (): VideoModel[] => [...catalogue.values()];
export const findModel = (id: string): VideoModel | undefined => catalogue.get(id);
