import { type InvalidRequest, invalidField } from '../../http/errors.ts';
import { afterDiscount, type Micros } from '../../money/micros.ts';
import type { VideoModel } from '../catalogue/catalogue.ts';
import { type Misfit, misfitOf, refusalOf, withDefaults } from '../catalogue/fit.ts';
import type { Offer } from '../catalogue/offer.ts';
import { priceOf } from '../catalogue/price.ts';
import type { ProviderPreferences, ProviderSort } from '../catalogue/provider-preferences.ts';
import type { RequestedVideo } from '../catalogue/requested-video.ts';
import type { VideoRequest } from '../catalogue/video-request.ts';
import type { Figures } from './figures.ts';
import { affordable, allowedOffers, isNamed } from './narrow.ts';

const TURNS = ['first', 'usual', 'last', 'never'] as const;

/** An account at a provider that a job can run on. */
export interface ProviderAccount {
  /** By the workspace's own key. */
  readonly isByok: boolean;
  /** Whether it is tried before shared ones, with them, or after them; `never` if there is any other. */
  readonly turn: (typeof TURNS)[number];
}

/** One way to serve a request. */
export interface Candidate extends ProviderAccount {
  readonly offer: Offer;
  readonly estimateMicros: Micros;
}

/** What a choice depends on beside the request. */
export interface Circumstances {
  /** The sort of requests that name none. */
  readonly usualSort: ProviderSort;
  readonly figuresOf: (offer: Offer) => Figures;
  /** At least one for each offer. */
  readonly accountsOf: (offer: Offer) => readonly ProviderAccount[];
  /** The discount on accounts of the deployment's. */
  readonly dataDiscount: number;
  readonly now: Date;
  /** Whether the model has all of its offers; another may be able to do what these cannot. @default true */
  readonly isWhole?: boolean;
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
 * decided first, by the first offer of the catalogue that can do the rest on some account.
 * @param model with the offers of this stage
 * @throws InvalidRequest when none can
 */
export function choose(request: VideoRequest, model: VideoModel, circumstances: Circumstances): Choice {
  const { accountsOf, usualSort, figuresOf, dataDiscount, now } = circumstances;
  const { video, offers } = fitting(request, model, circumstances);
  const all = offers.flatMap((offer) => {
    const price = priceOf(video, offer);
    return accountsOf(offer).map((account) => {
      const estimateMicros = account.isByok ? price : afterDiscount(price, dataDiscount);
      return { ...account, offer, estimateMicros };
    });
  });
  const usable = all.filter(isUsable);
  const { order, sort = usualSort, allow_fallbacks: hasFallbacks } = request.provider;
  const durationSeconds = video.duration_seconds;
  const ranking = { order, sort, figuresOf, durationSeconds, now };
  const [best, ...others] = rank(affordable(usable.length > 0 ? usable : all, request.provider), ranking);
  if (best === undefined) throw new Error(`no provider account can serve an endpoint of ${model.id}`);
  return {
    video: { ...video, options: request.provider.options[best.offer.provider] ?? {} },
    candidates: [best, ...(hasFallbacks ? others : [])],
    dataDiscount,
  };
}

const isUsable = ({ turn }: ProviderAccount): boolean => turn !== 'never';

/** The request with nothing left open, and the offers that can do exactly that. */
function fitting(request: VideoRequest, model: VideoModel, { accountsOf, isWhole = true }: Circumstances) {
  const allowed = allowedOffers(model, request.provider);
  const able = allowed.filter((offer) => misfitOf(request, offer) === undefined);
  const open = able.filter((offer) => accountsOf(offer).some(isUsable));
  const first = fullest(request, open.length > 0 ? open : able);
  if (first === undefined) throw refusal(request, model.id, allowed, isWhole);
  const video = withDefaults(request, first);
  const settled = { ...request, size: `${video.width}x${video.height}` };
  const exact = { ...settled, duration: video.duration_seconds, generate_audio: video.generate_audio };
  const ignored = ignoredKinds(request, first);
  const offers = able.filter(
    (offer) =>
      misfitOf(exact, offer, request) === undefined && ignoredKinds(request, offer).join() === ignored.join(),
  );
  return { video, offers };
}

/** Kinds of references may be ignored; the offer that ignores the fewest comes closest to the request. */
function fullest(request: VideoRequest, able: readonly Offer[]): Offer | undefined {
  if (request.input_references.length === 0) return able[0];
  const least = Math.min(...able.map((offer) => ignoredKinds(request, offer).length));
  return able.find((offer) => ignoredKinds(request, offer).length === least);
}

/** One kind for each reference that the offer would ignore. */
function ignoredKinds(
  { input_references: references, frame_images: frames }: VideoRequest,
  { input_references: taken }: Offer,
): readonly string[] {
  if (frames.length > 0) return [];
  return references
    .filter(({ type }) => !taken.some((kind) => type === `${kind}_url`))
    .map(({ type }) => type);
}

/** Says what each offer lacks; in one sentence where all lack the same. */
function refusal(
  request: VideoRequest,
  name: string,
  offers: readonly Offer[],
  hasAll: boolean,
): InvalidRequest {
  const lacks = offers.flatMap((offer) => {
    const misfit = misfitOf(request, offer);
    return misfit === undefined ? [] : [{ id: offer.id, misfit }];
  });
  const shared = sharedMisfit(lacks.map(({ misfit }) => misfit));
  const { only, ignore } = request.provider;
  // One that the caller has left out may be able to do it.
  const isWhole = hasAll && only === undefined && ignore.length === 0;
  const ids = offers.map(({ id }) => id).join(' or ');
  if (shared !== undefined) return refusalOf(shared, isWhole ? name : ids);
  const none = isWhole ? `no endpoint of ${name}` : `no allowed endpoint of ${name}`;
  const each = lacks.map(({ id, misfit }) => `${misfit.path}: ${misfit.rule(id)}`);
  return invalidField('model', `${none} supports this request. ${each.join('. ')}`);
}

function sharedMisfit([first, ...others]: readonly Misfit[]): Misfit | undefined {
  if (first === undefined) return undefined;
  const said = sentence(first);
  return others.every((other) => sentence(other) === said) ? first : undefined;
}

const sentence = ({ path, rule }: Misfit) => `${path}: ${rule('')}`;

interface Ranking extends Pick<ProviderPreferences, 'order'> {
  readonly sort: ProviderSort;
  readonly figuresOf: (offer: Offer) => Figures;
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
  const { offer, turn } = candidate;
  const figures = ranking.figuresOf(offer);
  const named = ranking.order.findIndex((name) => isNamed(offer, [name]));
  return [
    figures.restsUntil > ranking.now.getTime() ? 1 : 0,
    TURNS.indexOf(turn),
    named === -1 ? ranking.order.length : named,
    measure(candidate, figures, ranking),
  ];
}

/** Where too little was measured, the catalogue's value counts; without one, the candidate comes last. */
function measure({ offer, estimateMicros }: Candidate, figures: Figures, ranking: Ranking): number {
  const typical = offer.typical_seconds ?? Number.MAX_VALUE;
  switch (ranking.sort) {
    case 'price':
      return estimateMicros;
    case 'latency':
      return figures.latencySeconds ?? typical;
    case 'throughput':
      return -(figures.throughput ?? ranking.durationSeconds / typical);
    case 'exacto':
      return -offer.quality;
  }
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((place, index) => place !== b[index]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
