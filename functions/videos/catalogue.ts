import * as v from 'valibot';
import { ASPECT_RATIOS, RESOLUTIONS } from './frame-size.ts';
import models from './models.json' with { type: 'json' };

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
  durations: v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(1))), v.minLength(1)),
  default_duration: v.number(),
  resolutions: v.pipe(v.array(v.picklist(RESOLUTIONS)), v.minLength(1)),
  default_resolution: v.picklist(RESOLUTIONS),
  aspect_ratios: v.pipe(v.array(v.picklist(ASPECT_RATIOS)), v.minLength(1)),
  default_aspect_ratio: v.picklist(ASPECT_RATIOS),
  frame_images: v.array(v.picklist(['first_frame', 'last_frame'])),
  input_references: v.array(v.picklist(['image', 'audio', 'video'])),
  seed: v.boolean(),
  audio: v.picklist(['always', 'toggle', 'never']),
  /** Micro-dollars for a second of video, without and with sound. */
  price_per_second: v.strictObject({
    silent: v.pipe(v.number(), v.integer(), v.minValue(0)),
    with_audio: v.pipe(v.number(), v.integer(), v.minValue(0)),
  }),
  /** Names that `provider.options.<provider>` may hold. */
  passthrough: v.array(v.string()),
  /** How long a job of this model may take before it is given up as expired. */
  deadline_seconds: v.pipe(v.number(), v.integer(), v.minValue(60)),
});
export type VideoModel = Readonly<v.InferOutput<typeof modelSchema>>;

const catalogue: ReadonlyMap<string, VideoModel> = new Map(
  v.parse(v.array(modelSchema), models).map((model) => [model.id, model]),
);

export const allModels = (): VideoModel[] => [...catalogue.values()];
export const findModel = (id: string): VideoModel | undefined => catalogue.get(id);
