import * as v from 'valibot';
import { continuationsSchema } from './continuation.ts';
import {
  ASPECT_RATIOS,
  frameFormats,
  OTHER_SIZES,
  RESOLUTIONS,
  type Resolution,
  sizeName,
} from './frame-size.ts';
import { referenceLimitsSchema, withInputsSchema } from './input-limits.ts';
import { type Prices, pricesSchema } from './price.ts';

const durations = v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(1))), v.minLength(1));

const durationsByResolution = v.pipe(
  v.record(v.picklist(RESOLUTIONS), durations),
  v.description('Durations in seconds, for resolutions that do not support all of `durations`'),
);

const name = v.pipe(
  v.string(),
  v.regex(
    /^[a-z0-9.-]+\/[a-z0-9.-]+$/,
    'must be lowercase letters, digits, dots and hyphens with one slash, such as google/veo-3.1',
  ),
);

const VENDOR_NAME = /^(?!https?:)\/?[\w@][\w.:@-]*(?:\/[\w@][\w.:@-]*)*$/;

/**
 * What a vendor calls a model or a field. It becomes part of an address at the provider, so nothing in it can lead to
 * another one, to a parent of it, or to a query.
 */
const vendorName = v.pipe(
  v.string(),
  v.check(
    (text) => VENDOR_NAME.test(text),
    'must be a name that the provider uses, such as fal-ai/veo3.1, without a scheme, host or query',
  ),
);

/** Of each default. */
const APPLIES =
  'For fields that a submission omits, Genway uses the defaults of one endpoint that can serve the submission: the one that ignores the fewest references or, in a tie, the first in the catalogue. If the inputs or the requested resolution rule out one of these defaults, Genway uses another value that the endpoint supports';

/** A row, before the rules that concern several of its fields. */
export const rowSchema = v.strictObject({
  id: name,
  model: v.exactOptional(v.pipe(name, v.description('ID of the model. Defaults to the ID of the endpoint'))),
  name: v.pipe(
    v.string(),
    v.description('Display name of the endpoint. A model has the name of its first endpoint'),
  ),
  description: v.pipe(
    v.string(),
    v.description('Description of the endpoint. A model has the description of its first endpoint'),
  ),
  created: v.pipe(
    v.number(),
    v.integer(),
    v.description('Time at which the model was released or added to the catalogue, in Unix seconds'),
  ),
  provider: v.string(),
  upstream: v.pipe(vendorName, v.description('Name of the model at the provider. It cannot be a URL')),
  dialect: v.optional(
    v.pipe(
      v.record(
        v.string(),
        v.union([vendorName, v.number(), v.boolean()], 'must be a string, a number, true or false'),
      ),
      v.description('Settings of the provider’s adapter for this model'),
    ),
    {},
  ),
  durations: v.pipe(durations, v.description('Supported durations, in seconds')),
  durations_by_resolution: v.exactOptional(durationsByResolution),
  default_duration: v.pipe(v.number(), v.description(`Default duration in seconds. ${APPLIES}`)),
  resolutions: v.pipe(
    v.array(v.picklist(RESOLUTIONS)),
    v.minLength(1),
    v.description('Supported resolutions'),
  ),
  default_resolution: v.pipe(v.picklist(RESOLUTIONS), v.description(`Default resolution. ${APPLIES}`)),
  aspect_ratios: v.pipe(
    v.array(v.picklist(ASPECT_RATIOS)),
    v.minLength(1),
    v.description('Supported aspect ratios'),
  ),
  sizes: v.exactOptional(
    v.pipe(
      v.array(v.picklist(OTHER_SIZES)),
      v.description('Supported sizes besides those that follow from `resolutions` and `aspect_ratios`'),
    ),
  ),
  default_aspect_ratio: v.pipe(v.picklist(ASPECT_RATIOS), v.description(`Default aspect ratio. ${APPLIES}`)),
  frame_images: v.pipe(
    v.array(v.picklist(['first_frame', 'last_frame'])),
    v.description('Frames for which the endpoint accepts an image'),
  ),
  needs_first_frame: v.exactOptional(v.pipe(v.boolean(), v.description('Whether a first frame is required'))),
  needs_source: v.exactOptional(
    v.pipe(v.boolean(), v.description('Whether a request must continue a completed video')),
  ),
  last_frame_needs_first: v.exactOptional(
    v.pipe(v.boolean(), v.description('Whether a last frame requires a first frame')),
  ),
  input_references: v.pipe(
    v.array(v.picklist(['image', 'audio', 'video'])),
    v.description('Supported kinds of references'),
  ),
  reference_limits: v.exactOptional(
    v.pipe(referenceLimitsSchema, v.description('Limits for the number and the duration of references')),
  ),
  with_inputs: v.exactOptional(
    v.pipe(
      withInputsSchema,
      v.description(
        'Narrower capabilities for requests with a first frame, a last frame or a certain kind of reference, and for requests that extend or edit a video',
      ),
    ),
  ),
  continuations: v.exactOptional(
    v.pipe(continuationsSchema, v.description('Ways to continue a completed video')),
  ),
  prompt_limit: v.exactOptional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.description('Maximum prompt length, in UTF-16 code units'),
    ),
  ),
  seed: v.pipe(v.boolean(), v.description('Whether the endpoint accepts a seed')),
  audio: v.pipe(
    v.picklist(['always', 'toggle', 'never']),
    v.description('Whether the videos have sound. `toggle`: the request decides'),
  ),
  price_per_second: v.pipe(pricesSchema, v.description('The provider’s prices, in micro-dollars')),
  passthrough: v.pipe(
    v.array(v.string()),
    v.description('Names of the fields that `provider.options.<provider>` may contain'),
  ),
  deadline_seconds: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(60),
    v.description(
      'Seconds from the submission until Genway ends the job as `expired`, unless the provider has finished the video. If several endpoints may serve the job, the longest deadline applies',
    ),
  ),
  typical_seconds: v.exactOptional(
    v.pipe(
      v.number(),
      v.minValue(1),
      v.description(
        'Expected time in seconds from the provider’s acceptance of a job to its completion. Genway uses this value instead of its own measurements if it has measured fewer than five videos of the endpoint in the last week',
      ),
    ),
  ),
  quality: v.optional(
    v.pipe(
      v.number(),
      v.description('Quality score, to compare the endpoints of one model. A higher score is better'),
    ),
    0,
  ),
  eol_at: v.exactOptional(
    v.pipe(v.string(), v.isoDate(), v.description('Date on which the vendor retires the model')),
  ),
  successor: v.exactOptional(v.pipe(name, v.description('ID of the model that replaces this model'))),
  source: v.exactOptional(
    v.pipe(
      v.string(),
      v.description('Source of the capabilities and prices, such as a page on the vendor’s site'),
    ),
  ),
  checked_at: v.exactOptional(
    v.pipe(
      v.string(),
      v.isoDate(),
      v.description('Date on which the capabilities and prices were last checked'),
    ),
  ),
});

/**
 * A model at one provider: what it can do there and what it costs. Rows are data, so that a deployer edits no code to
 * add one. Callers, and the rows of jobs, call an offer an `endpoint`.
 */
export const offerSchema = v.pipe(
  rowSchema,
  v.check(
    (row) =>
      durationsOf(row, row.default_resolution).includes(row.default_duration) &&
      row.resolutions.includes(row.default_resolution) &&
      row.aspect_ratios.includes(row.default_aspect_ratio),
    'the endpoint must support its default_resolution, its default_duration at that resolution, and its default_aspect_ratio',
  ),
  v.check(
    isConsistent,
    'the endpoint’s with_inputs and durations_by_resolution must contain only values that its durations, resolutions, aspect_ratios and audio allow',
  ),
  v.transform(withTokenPrices),
);
export type Offer = Readonly<v.InferOutput<typeof offerSchema>>;

type Row = v.InferOutput<typeof rowSchema>;

/** Whether the row does with some inputs, and at each resolution, only what it also does otherwise. */
function isConsistent({ with_inputs = {}, durations_by_resolution = {}, ...row }: Row): boolean {
  const has = <T>(all: readonly T[], some: readonly T[] = []) => some.every((each) => all.includes(each));
  return (
    Object.values(durations_by_resolution).every((durations) => has(row.durations, durations)) &&
    Object.values(with_inputs).every(
      ({ durations, resolutions, aspect_ratios, generate_audio }) =>
        has(row.durations, durations) &&
        has(row.resolutions, resolutions) &&
        has(row.aspect_ratios, aspect_ratios) &&
        (generate_audio === undefined ||
          row.audio === 'toggle' ||
          row.audio === (generate_audio ? 'always' : 'never')),
    )
  );
}

const oldTokenPrices = v.object({
  token_price_silent: v.optional(v.number(), 0),
  token_price_with_audio: v.optional(v.number(), 0),
  token_price_from_video: v.exactOptional(v.number()),
});

/** Rows of older versions have the prices of tokens in their dialect. */
function withTokenPrices(row: Row): Row {
  const { token_price_silent, token_price_with_audio, token_price_from_video, ...dialect } = row.dialect;
  const old = v.safeParse(oldTokenPrices, row.dialect);
  if ((token_price_silent ?? token_price_with_audio) === undefined || !old.success) return row;
  const { token_price_silent: silent, token_price_with_audio: with_audio, ...more } = old.output;
  const clip = more.token_price_from_video;
  const tokens: Prices['tokens'] = {
    silent,
    with_audio,
    ...(clip === undefined ? {} : { with_clip: { silent: clip, with_audio: clip } }),
  };
  return { ...row, dialect, price_per_second: { tokens, ...row.price_per_second } };
}

/** In seconds, at one resolution. */
export function durationsOf(
  offer: Pick<v.InferOutput<typeof rowSchema>, 'durations' | 'durations_by_resolution'>,
  resolution: Resolution,
): readonly number[] {
  return offer.durations_by_resolution?.[resolution] ?? offer.durations;
}

/** Every size that a submit may name. */
export const sizesOf = ({
  resolutions,
  aspect_ratios,
  sizes = [],
}: Pick<Offer, 'resolutions' | 'aspect_ratios' | 'sizes'>): string[] => [
  ...frameFormats(resolutions, aspect_ratios).map(sizeName),
  ...sizes,
];

/** The name by which callers know its model. */
export const modelOf = ({ id, model = id }: Pick<Offer, 'id' | 'model'>): string => model;

/** For how many seconds a warm function may miss a change of the offers. */
export const offerCacheSchema = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(300));

/** A function's environment variable. */
export const offerCacheVariable = v.pipe(v.string(), v.transform(Number), offerCacheSchema);

/** A stage's own rows come last, or replace those with the same id. */
export const mergeModels = (known: readonly Offer[], own: readonly Offer[]): Offer[] => [
  ...new Map([...known, ...own].map((model) => [model.id, model])).values(),
];
