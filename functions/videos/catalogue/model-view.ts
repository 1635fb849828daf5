import * as v from 'valibot';
import { count, instant } from '../../http/answer-schemas.ts';
import type { Figures } from '../routing/figures.ts';
import type { VideoModel } from './catalogue.ts';
import { CONTINUATIONS, continuationsSchema } from './continuation.ts';
import { ASPECT_RATIOS, RESOLUTIONS } from './frame-size.ts';
import { referenceLimitsSchema, withInputsSchema } from './input-limits.ts';
import { PIN } from './listed-model.ts';
import { durationsOf, type Offer, sizesOf } from './offer.ts';
import { pricingSkus } from './price.ts';
import { lastEndOf } from './row-dates.ts';

const referenceKind = v.picklist(['image', 'audio', 'video']);
const frame = v.picklist(['first_frame', 'last_frame']);
const prices = v.record(v.string(), v.string());
const PRICED =
  '`duration_seconds`: per second of video. The suffixes `_with_video_reference`, `_with_audio` and a resolution such as `_1080p` say when a price applies, and can be combined. If a provider bills by tokens, a job can cost less than the listed price. `video_reference_seconds…`: per second of a referenced or continued video. `image`: per input image. `image_after_<n>`: per input image after the first `n`, which are free. `prompt_tokens`: per token of the prompt and the images. `thought_tokens`: per thinking token. `minimum`: the minimum price of a video. Fields without a price are absent';
const seconds = v.pipe(
  v.array(v.pipe(v.number(), v.integer(), v.minValue(1))),
  v.description('Supported durations, in seconds'),
);
const resolution = v.picklist(RESOLUTIONS);
const whether = (what: string) => v.optional(v.pipe(v.boolean(), v.description(`Whether ${what}`)));
const endOf = (eol: string) => ({
  eol_at: v.optional(v.pipe(v.string(), v.isoDate(), v.description(eol))),
  successor: v.optional(v.pipe(v.string(), v.description('ID of the model that replaces this model'))),
});

const shownModelOfferSchema = v.object({
  id: v.pipe(v.string(), v.description(PIN)),
  provider: v.string(),
  name: v.string(),
  price: v.pipe(prices, v.description(`Prices in USD. ${PRICED}`)),
  supported_durations: seconds,
  supported_durations_by_resolution: v.optional(v.record(v.string(), seconds)),
  supported_resolutions: v.array(resolution),
  supported_aspect_ratios: v.array(v.picklist(ASPECT_RATIOS)),
  supported_frame_images: v.array(frame),
  supported_input_references: v.array(referenceKind),
  needs_first_frame: whether('a first frame is required'),
  needs_source: whether('a request must continue a completed video'),
  last_frame_needs_first: whether('a last frame requires a first frame'),
  reference_limits: v.optional(
    v.pipe(referenceLimitsSchema, v.description('Limits for the number and the duration of references')),
  ),
  with_inputs: v.optional(
    v.pipe(
      withInputsSchema,
      v.description(
        'Narrower capabilities for requests with a first frame, a last frame or a certain kind of reference, and for requests that extend or edit a video',
      ),
    ),
  ),
  continuations: v.optional(v.pipe(continuationsSchema, v.description('Ways to continue a completed video'))),
  prompt_limit: v.optional(v.pipe(count, v.description('Maximum prompt length, in UTF-16 code units'))),
  audio: v.picklist(['always', 'toggle', 'never']),
  seed: v.boolean(),
  allowed_passthrough_parameters: v.array(v.string()),
  status: v.pipe(
    v.picklist(['available', 'resting']),
    v.description('`resting`: the provider gave no usable response to several submissions in a row'),
  ),
  resting_until: v.optional(
    v.pipe(
      instant,
      v.description(
        'Time until which the provider is resting. Genway may try the provider sooner. Absent unless `status` is `resting`',
      ),
    ),
  ),
  latency_p50: v.nullable(
    v.pipe(
      v.number(),
      v.description(
        'Median time in seconds from the provider’s acceptance of a job to its completion, in a sample of this deployment’s videos from the last week. The catalogue’s estimate if the sample has fewer than five videos. Null if there is no estimate either',
      ),
    ),
  ),
  success_rate: v.nullable(
    v.pipe(
      v.number(),
      v.minValue(0),
      v.maxValue(1),
      v.description(
        'Share of jobs that completed, from 0 to 1, in a sample of the jobs that the provider accepted and that ended in the last week. Jobs that were cancelled or that moderation refused do not count. Null if the sample is empty',
      ),
    ),
  ),
  samples: v.pipe(count, v.description('Number of jobs in the sample of `success_rate`')),
  ...endOf('Date on which the vendor retires the model'),
});

/** A model as `GET /videos/models` shows it. */
export const shownModelSchema = v.object({
  id: v.string(),
  canonical_slug: v.string(),
  name: v.string(),
  description: v.pipe(v.string(), v.description('Description of the model, taken from its first endpoint')),
  created: v.pipe(
    count,
    v.description('Time at which the model was released or added to the catalogue, in Unix seconds'),
  ),
  supported_durations: seconds,
  supported_durations_by_resolution: v.optional(
    v.pipe(
      v.record(v.string(), seconds),
      v.description(
        'Durations in seconds at each resolution. Absent if no endpoint limits its durations by resolution',
      ),
    ),
  ),
  supported_resolutions: v.array(resolution),
  supported_aspect_ratios: v.array(v.picklist(ASPECT_RATIOS)),
  supported_sizes: v.array(v.string()),
  supported_frame_images: v.array(frame),
  supported_input_references: v.array(referenceKind),
  supported_continuations: v.pipe(
    v.array(v.picklist(CONTINUATIONS)),
    v.description('Supported values of `continuation`'),
  ),
  generate_audio: v.pipe(v.boolean(), v.description('Whether videos of the model can have sound')),
  seed: v.pipe(v.boolean(), v.description('Whether the model accepts a seed')),
  prompt_limit: v.optional(
    v.pipe(
      count,
      v.description(
        'Highest `prompt_limit` of the endpoints, in UTF-16 code units. Absent if an endpoint has none',
      ),
    ),
  ),
  creativity: v.null(),
  upscale_factor: v.null(),
  allowed_passthrough_parameters: v.pipe(
    v.array(v.string()),
    v.description('Names of the fields that at least one endpoint allows in `provider.options.<provider>`'),
  ),
  pricing_skus: v.pipe(
    prices,
    v.description(`For each kind of price, the lowest among the endpoints, in USD. ${PRICED}`),
  ),
  data_discount: v.optional(
    v.pipe(
      v.number(),
      v.description(
        'Discount on the prices of the model, as a fraction, for workspaces with `is_data_discount_logging_enabled`. Jobs on your own provider keys get no discount. Absent if there is no discount',
      ),
    ),
  ),
  defaults: v.object({
    duration: v.number(),
    resolution,
    aspect_ratio: v.picklist(ASPECT_RATIOS),
    generate_audio: v.boolean(),
  }),
  endpoints: v.array(shownModelOfferSchema),
  ...endOf('Latest retirement date among the endpoints of the model. Absent if any endpoint has none'),
});

export type ShownModel = v.InferOutput<typeof shownModelSchema>;

interface Circumstances {
  readonly figuresOf: (offer: Offer) => Figures;
  /** The stage's discount for workspaces that agree to be logged. */
  readonly dataDiscount: number;
  readonly now: Date;
}

/**
 * A model as `GET /videos/models` shows it: what any of its offers can do, the lowest price of each kind, and then
 * each offer.
 */
export function describeModel(
  { id, offers }: VideoModel,
  { figuresOf, dataDiscount, now }: Circumstances,
): ShownModel {
  const [first] = offers;
  if (first === undefined) throw new Error(`${id} has no offer`);
  return {
    id,
    canonical_slug: id,
    name: first.name,
    description: first.description,
    created: first.created,
    ...abilitiesOf(offers),
    pricing_skus: lowestPrices(offers),
    ...(dataDiscount === 0 ? {} : { data_discount: dataDiscount }),
    defaults: defaultsOf(first),
    endpoints: offers.map((offer) => describeModelOffer(offer, figuresOf(offer), now)),
    ...lastEndOf(offers),
  };
}

/** What at least one offer can do. */
function abilitiesOf(offers: readonly Offer[]) {
  const distinct = <T>(of: (offer: Offer) => readonly T[]): T[] => [...new Set(offers.flatMap(of))];
  return {
    supported_durations: distinct(({ durations }) => durations).sort((a, b) => a - b),
    supported_durations_by_resolution: durationsByResolution(offers),
    supported_resolutions: RESOLUTIONS.filter((each) =>
      offers.some((offer) => offer.resolutions.includes(each)),
    ),
    supported_aspect_ratios: ASPECT_RATIOS.filter((each) =>
      offers.some((offer) => offer.aspect_ratios.includes(each)),
    ),
    supported_sizes: distinct(sizesOf),
    supported_frame_images: distinct(({ frame_images }) => frame_images),
    supported_input_references: distinct(({ input_references }) => input_references),
    supported_continuations: CONTINUATIONS.filter((each) =>
      offers.some(({ continuations }) => continuations?.[each] !== undefined),
    ),
    generate_audio: offers.some(({ audio }) => audio !== 'never'),
    seed: offers.some(({ seed }) => seed),
    ...longestPrompt(offers),
    creativity: null,
    upscale_factor: null,
    allowed_passthrough_parameters: distinct(({ passthrough }) => passthrough),
  };
}

/** Absent where one offer has no limit of its own. */
function longestPrompt(offers: readonly Offer[]) {
  const limits = offers.flatMap(({ prompt_limit }) => prompt_limit ?? []);
  return limits.length < offers.length ? {} : { prompt_limit: Math.max(...limits) };
}

/** Absent where every resolution can be made in every duration. */
function durationsByResolution(offers: readonly Offer[]) {
  if (offers.every((offer) => offer.durations_by_resolution === undefined)) return undefined;
  const resolutions = [...new Set(offers.flatMap((offer) => offer.resolutions))];
  return Object.fromEntries(
    resolutions.map((resolution) => {
      const able = offers.filter((offer) => offer.resolutions.includes(resolution));
      const durations = new Set(able.flatMap((offer) => durationsOf(offer, resolution)));
      return [resolution, [...durations].sort((a, b) => a - b)];
    }),
  );
}

/** What a request gets when it leaves everything open. */
const defaultsOf = (offer: Offer) => ({
  duration: offer.default_duration,
  resolution: offer.default_resolution,
  aspect_ratio: offer.default_aspect_ratio,
  generate_audio: offer.audio !== 'never',
});

function describeModelOffer(
  offer: Offer,
  figures: Figures,
  now: Date,
): v.InferOutput<typeof shownModelOfferSchema> {
  const rests = figures.restsUntil > now.getTime();
  return {
    id: offer.id,
    provider: offer.provider,
    name: offer.name,
    price: pricingSkus(offer.price_per_second),
    supported_durations: offer.durations,
    supported_durations_by_resolution: offer.durations_by_resolution,
    supported_resolutions: offer.resolutions,
    supported_aspect_ratios: offer.aspect_ratios,
    supported_frame_images: offer.frame_images,
    supported_input_references: offer.input_references,
    needs_first_frame: offer.needs_first_frame,
    needs_source: offer.needs_source,
    last_frame_needs_first: offer.last_frame_needs_first,
    reference_limits: offer.reference_limits,
    with_inputs: offer.with_inputs,
    continuations: offer.continuations,
    prompt_limit: offer.prompt_limit,
    audio: offer.audio,
    seed: offer.seed,
    allowed_passthrough_parameters: offer.passthrough,
    status: rests ? 'resting' : 'available',
    resting_until: rests ? new Date(figures.restsUntil).toISOString() : undefined,
    latency_p50: figures.latencySeconds ?? offer.typical_seconds ?? null,
    success_rate: figures.successRate ?? null,
    samples: figures.samples,
    eol_at: offer.eol_at,
    successor: offer.successor,
  };
}

/** The lowest price of each kind. */
function lowestPrices(offers: readonly Offer[]): Record<string, string> {
  const lowest: Record<string, string> = {};
  const skus = offers.flatMap(({ price_per_second }) => Object.entries(pricingSkus(price_per_second)));
  for (const [kind, dollars] of skus) {
    const known = lowest[kind];
    if (known === undefined || Number(dollars) < Number(known)) lowest[kind] = dollars;
  }
  return lowest;
}
