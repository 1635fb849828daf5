import { type Micros, microsToUsd } from '../../money/micros.ts';
import type { Figures } from '../routing/figures.ts';
import type { VideoModel } from './catalogue.ts';
import { durationsOf, type VideoEndpoint } from './endpoint.ts';
import { ASPECT_RATIOS, frameFormats, RESOLUTIONS, sizeName } from './frame-size.ts';

interface Circumstances {
  readonly figuresOf: (endpoint: VideoEndpoint) => Figures;
  /** The stage's discount for workspaces that agree to be logged. */
  readonly dataDiscount: number;
  readonly now: Date;
}

/**
 * A model as `GET /videos/models` shows it: what any of its endpoints can do, the lowest price of each kind, and then
 * each endpoint.
 */
export function describeModel(
  { id, endpoints }: VideoModel,
  { figuresOf, dataDiscount, now }: Circumstances,
) {
  const [first] = endpoints;
  if (first === undefined) throw new Error(`${id} has no endpoint`);
  return {
    id,
    canonical_slug: id,
    name: first.name,
    description: first.description,
    created: first.created,
    ...abilitiesOf(endpoints),
    pricing_skus: lowestPrices(endpoints),
    ...(dataDiscount === 0 ? {} : { data_discount: dataDiscount }),
    defaults: defaultsOf(first),
    endpoints: endpoints.map((endpoint) => describeEndpoint(endpoint, figuresOf(endpoint), now)),
    ...(endpoints.every(({ eol_at }) => eol_at !== undefined) ? { eol_at: last(endpoints) } : {}),
  };
}

/** What at least one endpoint can do. */
function abilitiesOf(endpoints: readonly VideoEndpoint[]) {
  const some = <
    Key extends 'resolutions' | 'aspect_ratios' | 'frame_images' | 'input_references' | 'passthrough',
  >(
    key: Key,
  ) => [...new Set<string>(endpoints.flatMap((endpoint) => endpoint[key]))];
  const durations = new Set(endpoints.flatMap((endpoint) => endpoint.durations));
  const formats = endpoints.flatMap((each) => frameFormats(each.resolutions, each.aspect_ratios));
  return {
    supported_durations: [...durations].sort((a, b) => a - b),
    supported_durations_by_resolution: durationsByResolution(endpoints),
    supported_resolutions: inOrder(RESOLUTIONS, some('resolutions')),
    supported_aspect_ratios: inOrder(ASPECT_RATIOS, some('aspect_ratios')),
    supported_sizes: [...new Set(formats.map(sizeName))],
    supported_frame_images: some('frame_images'),
    supported_input_references: some('input_references'),
    generate_audio: endpoints.some(({ audio }) => audio !== 'never'),
    seed: endpoints.some(({ seed }) => seed),
    creativity: null,
    upscale_factor: null,
    allowed_passthrough_parameters: some('passthrough'),
  };
}

/** Absent where every resolution can be made in every duration. */
function durationsByResolution(endpoints: readonly VideoEndpoint[]) {
  if (endpoints.every((endpoint) => endpoint.durations_by_resolution === undefined)) return undefined;
  const resolutions = [...new Set(endpoints.flatMap((endpoint) => endpoint.resolutions))];
  return Object.fromEntries(
    resolutions.map((resolution) => {
      const able = endpoints.filter((endpoint) => endpoint.resolutions.includes(resolution));
      const durations = new Set(able.flatMap((endpoint) => durationsOf(endpoint, resolution)));
      return [resolution, [...durations].sort((a, b) => a - b)];
    }),
  );
}

const inOrder = <T extends string>(all: readonly T[], some: readonly string[]): T[] =>
  all.filter((each) => some.includes(each));

/** What a request gets when it leaves everything open. */
const defaultsOf = (endpoint: VideoEndpoint) => ({
  duration: endpoint.default_duration,
  resolution: endpoint.default_resolution,
  aspect_ratio: endpoint.default_aspect_ratio,
  generate_audio: endpoint.audio !== 'never',
});

const last = (endpoints: readonly VideoEndpoint[]): string =>
  endpoints
    .flatMap(({ eol_at }) => eol_at ?? [])
    .toSorted()
    .at(-1) ?? '';

function describeEndpoint(endpoint: VideoEndpoint, figures: Figures, now: Date) {
  return {
    id: endpoint.id,
    provider: endpoint.provider,
    name: endpoint.name,
    price: pricesOf(endpoint),
    supported_durations: endpoint.durations,
    supported_durations_by_resolution: endpoint.durations_by_resolution,
    supported_resolutions: endpoint.resolutions,
    supported_aspect_ratios: endpoint.aspect_ratios,
    supported_frame_images: endpoint.frame_images,
    supported_input_references: endpoint.input_references,
    audio: endpoint.audio,
    seed: endpoint.seed,
    allowed_passthrough_parameters: endpoint.passthrough,
    status: figures.restsUntil > now.getTime() ? 'resting' : 'available',
    latency_p50: figures.latencySeconds ?? endpoint.typical_seconds ?? null,
    success_rate: figures.successRate ?? null,
    samples: figures.samples,
    eol_at: endpoint.eol_at,
  };
}

/** The lowest price of each kind. */
function lowestPrices(endpoints: readonly VideoEndpoint[]): Record<string, string> {
  const lowest: Record<string, string> = {};
  for (const [kind, dollars] of endpoints.flatMap((endpoint) => Object.entries(pricesOf(endpoint)))) {
    const known = lowest[kind];
    if (known === undefined || Number(dollars) < Number(known)) lowest[kind] = dollars;
  }
  return lowest;
}

function pricesOf({ price_per_second: price }: VideoEndpoint): Record<string, string> {
  const { silent, with_audio, by_resolution = {} } = price;
  return {
    duration_seconds: dollars(silent),
    duration_seconds_with_audio: dollars(with_audio),
    ...Object.fromEntries(
      Object.entries(by_resolution).flatMap(([resolution, own]) => [
        [`duration_seconds_${resolution}`, dollars(own.silent)],
        [`duration_seconds_with_audio_${resolution}`, dollars(own.with_audio)],
      ]),
    ),
  };
}

/** The shortest decimal, which is exact: the quotient of so small an integer needs six places at most. */
const dollars = (price: Micros): string => String(microsToUsd(price));
