import { type InvalidRequest, invalidField } from '../../http/errors.ts';
import { afterDiscount } from '../../money/micros.ts';
import type { VideoModel } from '../catalogue/catalogue.ts';
import { type Misfit, misfitOf, priceOf, refusalOf, withDefaults } from '../catalogue/fit.ts';
import type { VideoEndpoint } from '../catalogue/offer.ts';
import type { ProviderPreferences, ProviderSort } from '../catalogue/provider-preferences.ts';
import type { RequestedVideo } from '../catalogue/requested-video.ts';
import type { VideoRequest } from '../catalogue/video-request.ts';
import { type Candidate, type ProviderAccount, TURNS } from './accounts.ts';
import type { Figures } from './figures.ts';
import { affordable, allowedEndpoints, isNamed } from './narrow.ts';

/** What a choice depends on beside the request. */
export interface Circumstances {
  /** The sort of requests that name none. */
  readonly usualSort: ProviderSort;
  readonly figuresOf: (endpoint: VideoEndpoint) => Figures;
  /** At least one for each endpoint. */
  readonly accountsOf: (endpoint: VideoEndpoint) => readonly ProviderAccount[];
  /** The discount on accounts of the deployment's. */
  readonly dataDiscount: number;
  readonly now: Date;
}

export interface Choice {
  /** The same for every candidate; only the options are those of the first. */
  readonly video: RequestedVideo;
  /** Who may serve, best first; at least one. */
  readonly candidates: readonly [Candidate, ...Candidate[]];
  /** The guardrail whose limit the job counts against; absent where that has none. */
  readonly guardrailId?: string;
  /** The discount in the estimates of candidates on an account of the deployment's. */
  readonly dataDiscount?: number;
}

/**
 * Who may serve a request, and in which order. All of them can do exactly the same. What the request leaves open is
 * decided first, by the first endpoint of the catalogue that can do the rest on some account.
 * @param model with those of its endpoints that are offered
 * @throws InvalidRequest when none can
 */
export function choose(request: VideoRequest, model: VideoModel, circumstances: Circumstances): Choice {
  const { accountsOf, usualSort, figuresOf, dataDiscount, now } = circumstances;
  const { video, endpoints } = fitting(request, model, (endpoint) => accountsOf(endpoint).some(isUsable));
  const all = endpoints.flatMap((endpoint) => {
    const price = priceOf(video, endpoint);
    return accountsOf(endpoint).map((account) => {
      const estimateMicros = account.isByok ? price : afterDiscount(price, dataDiscount);
      return { ...account, endpoint, estimateMicros };
    });
  });
  const usable = all.filter(isUsable);
  const { order, sort = usualSort, allow_fallbacks: hasFallbacks } = request.provider;
  const durationSeconds = video.duration_seconds;
  const ranking = { order, sort, figuresOf, durationSeconds, now };
  const [best, ...others] = rank(affordable(usable.length > 0 ? usable : all, request.provider), ranking);
  if (best === undefined) throw new Error(`${model.id} has an endpoint on which no account can run`);
  return {
    video: { ...video, options: request.provider.options[best.endpoint.provider] ?? {} },
    candidates: [best, ...(hasFallbacks ? others : [])],
    dataDiscount,
  };
}

const isUsable = ({ turn }: ProviderAccount): boolean => turn !== 'never';

/** The request with nothing left open, and the endpoints that can do exactly that. */
function fitting(request: VideoRequest, model: VideoModel, hasAccount: (endpoint: VideoEndpoint) => boolean) {
  const allowed = allowedEndpoints(model, request.provider);
  const able = allowed.filter((endpoint) => misfitOf(request, endpoint) === undefined);
  const open = able.filter(hasAccount);
  const first = fullest(request, open.length > 0 ? open : able);
  if (first === undefined) throw refusal(request, model.id, allowed);
  const video = withDefaults(request, first);
  const settled = { ...request, size: `${video.width}x${video.height}` };
  const exact = { ...settled, duration: video.duration_seconds, generate_audio: video.generate_audio };
  const ignored = ignoredKinds(request, first);
  const endpoints = able.filter(
    (endpoint) =>
      misfitOf(exact, endpoint) === undefined && ignoredKinds(request, endpoint).join() === ignored.join(),
  );
  return { video, endpoints };
}

/** Kinds of references may be ignored; the endpoint that ignores the fewest comes closest to the request. */
function fullest(request: VideoRequest, able: readonly VideoEndpoint[]): VideoEndpoint | undefined {
  if (request.input_references.length === 0) return able[0];
  const least = Math.min(...able.map((endpoint) => ignoredKinds(request, endpoint).length));
  return able.find((endpoint) => ignoredKinds(request, endpoint).length === least);
}

/** One kind for each reference that the endpoint would ignore. */
function ignoredKinds(
  { input_references: references, frame_images: frames }: VideoRequest,
  { input_references: taken }: VideoEndpoint,
): readonly string[] {
  if (frames.length > 0) return [];
  return references
    .filter(({ type }) => !taken.some((kind) => type === `${kind}_url`))
    .map(({ type }) => type);
}

/** Says what each endpoint lacks; in one sentence where all lack the same. */
function refusal(request: VideoRequest, name: string, endpoints: readonly VideoEndpoint[]): InvalidRequest {
  const lacks = endpoints.flatMap((endpoint) => {
    const misfit = misfitOf(request, endpoint);
    return misfit === undefined ? [] : [{ id: endpoint.id, misfit }];
  });
  const shared = sharedMisfit(lacks.map(({ misfit }) => misfit));
  if (shared !== undefined) return refusalOf(shared, name);
  const each = lacks.map(({ id, misfit }) => `${misfit.path}: ${misfit.rule(id)}`);
  return invalidField('model', `no endpoint of ${name} can do all of this; ${each.join('; ')}`);
}

function sharedMisfit([first, ...others]: readonly Misfit[]): Misfit | undefined {
  if (first === undefined) return undefined;
  const said = sentence(first);
  return others.every((other) => sentence(other) === said) ? first : undefined;
}

const sentence = ({ path, rule }: Misfit) => `${path}: ${rule('')}`;

interface Ranking extends Pick<ProviderPreferences, 'order'> {
  readonly sort: ProviderSort;
  readonly figuresOf: (endpoint: VideoEndpoint) => Figures;
  readonly durationSeconds: number;
  readonly now: Date;
}

/**
 * Best first. Candidates that rest come after all others, and the workspace's own accounts before shared ones. Then the
 * names in the request decide, in their order, and then the sort. Equal candidates keep the order of the catalogue.
 */
function rank(candidates: readonly Candidate[], ranking: Ranking): Candidate[] {
  const ranked = candidates.map((candidate) => ({ candidate, places: placesOf(candidate, ranking) }));
  return ranked.sort((a, b) => compare(a.places, b.places)).map(({ candidate }) => candidate);
}

/** Lower is better; the first that differs decides. */
function placesOf(candidate: Candidate, ranking: Ranking): readonly number[] {
  const { endpoint, turn } = candidate;
  const figures = ranking.figuresOf(endpoint);
  const named = ranking.order.findIndex((name) => isNamed(endpoint, [name]));
  return [
    figures.restsUntil > ranking.now.getTime() ? 1 : 0,
    TURNS.indexOf(turn),
    named === -1 ? ranking.order.length : named,
    measure(candidate, figures, ranking),
  ];
}

/** Where too little was measured, the catalogue's value counts; without one, the candidate comes last. */
function measure({ endpoint, estimateMicros }: Candidate, figures: Figures, ranking: Ranking): number {
  const typical = endpoint.typical_seconds ?? Number.MAX_VALUE;
  switch (ranking.sort) {
    case 'price':
      return estimateMicros;
    case 'latency':
      return figures.latencySeconds ?? typical;
    case 'throughput':
      return -(figures.throughput ?? ranking.durationSeconds / typical);
    case 'exacto':
      return -endpoint.quality;
  }
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((place, index) => place !== b[index]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
