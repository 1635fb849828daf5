import type { Guardrail, GuardrailChange } from '../../guardrails/guardrail.ts';
import { invalidField, ModelRetired, NotFound, ServiceUnavailable } from '../../http/errors.ts';
import { suggestion } from '../../http/unknown-names.ts';
import { formatUsd, least } from '../../money/micros.ts';
import type { Catalogue, VideoModel } from '../catalogue/catalogue.ts';
import { CONTINUATIONS, type Continuation } from '../catalogue/continuation.ts';
import { modelOf, type Offer } from '../catalogue/offer.ts';
import type { ProviderPreferences } from '../catalogue/provider-preferences.ts';
import { hasEnded, RETIRED, type Retirement, retirementOf } from '../catalogue/row-dates.ts';
import type { VideoRequest } from '../catalogue/video-request.ts';
import { type ProvidersSettings, settingsOf } from '../providers/provider-settings.ts';
import type { Candidate } from './choose.ts';

/** The models that a submit can name, each with the offers that can be used on this stage now. */
export function offeredModels(catalogue: Catalogue, providers: ProvidersSettings, now: Date): VideoModel[] {
  return catalogue.models
    .map((model) => ({ ...model, offers: offeredOf(model, catalogue, providers, now) }))
    .filter(({ offers }) => offers.length > 0);
}

/** Nobody knows for how long an operator pauses a model. */
const PAUSED_SECONDS = 60;

/** Whether an offer could be used if nobody had paused it. */
const isPausedOnly = (offer: Offer, catalogue: Catalogue, providers: ProvidersSettings, now: Date): boolean =>
  catalogue.isPaused(offer.id) && whyNotOffered(offer, NONE_PAUSED, providers, now) === undefined;

const ALL_MODELS = 'GET /api/v1/videos/models lists the available models';

const NONE_PAUSED = { isPaused: () => false };

/**
 * @throws NotFound with a hint, or with the successor of a model that has ended
 * @throws ServiceUnavailable for a model that is paused
 */
export function offeredModel(
  id: string,
  catalogue: Catalogue,
  providers: ProvidersSettings,
  now: Date,
): VideoModel {
  const model = catalogue.model(id);
  const offers = model === undefined ? [] : offeredOf(model, catalogue, providers, now);
  if (offers.length > 0) return { id, offers };
  if (model?.offers.some((offer) => isPausedOnly(offer, catalogue, providers, now)))
    throw new ServiceUnavailable(`model: ${id} is paused; try again later`, {
      metadata: { path: 'model' },
      headers: { 'retry-after': String(PAUSED_SECONDS) },
    });
  const retirement = retirementOf(id, model, now);
  if (retirement !== undefined) throw retired(id, retirement);
  const why = model?.offers.map((offer) => whyNotOffered(offer, catalogue, providers, now)).join('; ');
  throw new NotFound(
    `model: ${why === undefined ? `there is no "${id}"${hint(id, catalogue, providers, now)}` : `${why};`} ${ALL_MODELS}`,
    { metadata: { path: 'model' } },
  );
}

function retired(id: string, { eol_at, successor }: Retirement): ModelRetired {
  const instead = successor === undefined ? '' : `; its successor is ${successor}`;
  return new ModelRetired(`model: ${id} was retired by its vendor on ${eol_at}${instead}; ${ALL_MODELS}`, {
    metadata: { path: 'model', successor },
  });
}

/** The caller may mean an offer's own id as well as a model's. */
function hint(id: string, catalogue: Catalogue, providers: ProvidersSettings, now: Date): string {
  const offered = offeredModels(catalogue, providers, now);
  const ids = offered.flatMap((model) => [model.id, ...model.offers.map((offer) => offer.id)]);
  const meant = suggestion(id, ids);
  return meant === undefined ? ';' : `; did you mean "${meant}"?`;
}

const offeredOf = (
  { offers }: VideoModel,
  catalogue: Catalogue,
  providers: ProvidersSettings,
  now: Date,
): Offer[] => offers.filter((offer) => whyNotOffered(offer, catalogue, providers, now) === undefined);

export function whyNotOffered(
  offer: Offer,
  catalogue: Pick<Catalogue, 'isPaused'>,
  providers: ProvidersSettings,
  now: Date,
): string | undefined {
  const { id, provider, eol_at } = offer;
  if (hasEnded(offer, now)) return `${id} was retired by its vendor on ${eol_at}`;
  if (settingsOf(provider, providers) === undefined) {
    return `${id} is served by ${provider}, which this deployment does not offer`;
  }
  return catalogue.isPaused(id) ? `${id} is paused` : undefined;
}

/** All providers of the catalogue, offered here or not, and all that are configured. */
export const knownProviders = ({ offers }: Catalogue, providers: ProvidersSettings): ReadonlySet<string> =>
  new Set([...offers.flatMap(({ id, provider }) => [id, provider]), ...Object.keys(providers)]);

const knownModels = ({ offers }: Catalogue): ReadonlySet<string> =>
  new Set(offers.flatMap((offer) => [offer.id, modelOf(offer)]));

/** @throws InvalidRequest for an unknown name: a typing error in a guardrail would allow what it should not */
export function assertRulesKnown(
  rules: GuardrailChange,
  catalogue: Catalogue,
  providers: ProvidersSettings,
): void {
  const models = knownModels(catalogue);
  const servers = knownProviders(catalogue, providers);
  for (const field of ['allowed_models', 'ignored_models'] as const) {
    // A guardrail that names a model which has ended since must stay editable.
    const present = rules[field]?.filter((name) => !RETIRED.has(name));
    assertNames(present, models, field, 'model');
  }
  for (const field of ['allowed_providers', 'ignored_providers'] as const) {
    assertNames(rules[field], servers, field, 'provider');
  }
}

/** @throws InvalidRequest for an unknown name: with a typing error a wrong provider could serve */
export function assertKnown(preferences: ProviderPreferences, known: ReadonlySet<string>): void {
  for (const field of ['order', 'only', 'ignore'] as const) {
    assertNames(preferences[field], known, ['provider', field], 'provider');
  }
}

function assertNames(
  names: readonly string[] | null | undefined,
  known: ReadonlySet<string>,
  field: string | readonly string[],
  kind: 'model' | 'provider',
): void {
  const wrong = names?.find((name) => !known.has(name));
  if (wrong === undefined) return;
  const supported = [...known].toSorted();
  const rule = `there is no ${kind} or endpoint "${wrong}"; known: ${supported.join(', ')}`;
  throw invalidField(field, rule, { supported });
}

/** A caller names a provider, or one offer by its id. */
export const isNamed = ({ id, provider }: Offer, names: readonly string[]): boolean =>
  names.includes(provider) || names.includes(id);

/**
 * The request with what becomes of the video that it goes on with: it is extended where the model can do that.
 * @throws InvalidRequest that names the models which can do it, where this one cannot
 */
export function settleContinuation(
  request: VideoRequest,
  model: VideoModel,
  offered: () => readonly VideoModel[],
): VideoRequest {
  if (request.previous_job_id === undefined) return request;
  const does = ({ offers }: VideoModel, continuation: Continuation) =>
    offers.some(({ continuations }) => continuations?.[continuation] !== undefined);
  const usual = CONTINUATIONS.find((each) => does(model, each)) ?? CONTINUATIONS[0];
  const { continuation = usual } = request;
  if (does(model, continuation)) return { ...request, continuation };
  const supported = offered()
    .filter((each) => does(each, continuation))
    .map(({ id }) => id);
  const rule = `${model.id} cannot ${continuation} a video; models that can: ${supported.join(', ') || 'none'}`;
  throw invalidField('previous_job_id', rule, { supported });
}

/** @throws InvalidRequest when the caller's preferences leave no offer of the model */
export function allowedOffers(
  { id, offers }: VideoModel,
  { only, ignore }: ProviderPreferences,
): readonly Offer[] {
  const allowed = offers.filter(
    (offer) => (only === undefined || isNamed(offer, only)) && !isNamed(offer, ignore),
  );
  if (allowed.length > 0) return allowed;
  const supported = [...new Set(offers.map(({ provider }) => provider))];
  const isByOnly = only !== undefined && !offers.some((offer) => isNamed(offer, only));
  const path = ['provider', isByOnly ? 'only' : 'ignore'];
  const where =
    only === undefined || isByOnly
      ? `, which is served by ${supported.join(', ')}`
      : ' that provider.only allows';
  throw invalidField(path, `leaves no endpoint of ${id}${where}`, { supported });
}

/** @throws InvalidRequest when even the cheapest costs more than the caller wants to pay */
export function affordable(
  candidates: readonly Candidate[],
  { max_price: most }: ProviderPreferences,
): readonly Candidate[] {
  if (most === undefined) return candidates;
  const cheap = candidates.filter(({ estimateMicros }) => estimateMicros <= most);
  const [first, ...others] = candidates.map(({ estimateMicros }) => estimateMicros);
  if (cheap.length > 0 || first === undefined) return cheap;
  throw invalidField(
    ['provider', 'max_price'],
    `${formatUsd(most)} is too low; at the cheapest endpoint, this job may cost ${formatUsd(least(first, ...others))}`,
  );
}

type GuardrailRules = Pick<
  Guardrail,
  'id' | 'name' | 'allowed_models' | 'ignored_models' | 'allowed_providers' | 'ignored_providers'
>;

type Rule = Exclude<keyof GuardrailRules, 'id' | 'name'>;

/** The names by which each rule knows an offer; its own id is always one of them. */
const NAMES: Readonly<Record<Rule, (offer: Offer) => readonly string[]>> = {
  allowed_models: (offer) => [offer.id, modelOf(offer)],
  ignored_models: (offer) => [offer.id, modelOf(offer)],
  allowed_providers: ({ id, provider }) => [id, provider],
  ignored_providers: ({ id, provider }) => [id, provider],
};
const RULES = ['allowed_models', 'ignored_models', 'allowed_providers', 'ignored_providers'] as const;

/**
 * The model with those of its offers that a guardrail allows.
 * @param isWhole whether the model has all of its offers; the guardrail may allow those that the caller has left out
 * @throws NotFound that names the rule which leaves none
 */
export function withinGuardrail(model: VideoModel, rules: GuardrailRules, isWhole = true): VideoModel {
  let { offers } = model;
  for (const rule of RULES) {
    const left = offers.filter((offer) => mayServe(offer, rule, rules[rule]));
    if (left.length === 0) {
      const ids = model.offers.map(({ id }) => id).join(', ');
      throw refusal(isWhole ? namedFor(rule, model.id, offers) : ids, rule, rules);
    }
    offers = left;
  }
  return { ...model, offers };
}

/** The models that a guardrail allows, each with the offers that it allows. */
export const modelsWithin = (models: readonly VideoModel[], rules: GuardrailRules): VideoModel[] =>
  models
    .map((model) => {
      const isAllowed = (offer: Offer) => RULES.every((rule) => mayServe(offer, rule, rules[rule]));
      return { ...model, offers: model.offers.filter(isAllowed) };
    })
    .filter(({ offers }) => offers.length > 0);

function mayServe(offer: Offer, rule: Rule, names: readonly string[] | null): boolean {
  if (names === null) return true;
  const isListed = NAMES[rule](offer).some((name) => names.includes(name));
  return isListed === isAllowing(rule);
}

const isAllowing = (rule: Rule): boolean => rule === 'allowed_models' || rule === 'allowed_providers';

/** A 404, because a submit's table of statuses has no 403. */
function refusal(what: string, rule: Rule, rules: GuardrailRules) {
  const named = (rules[rule] ?? []).join(', ');
  return new NotFound(`model: the guardrail "${rules.name}" does not allow ${what}; its ${rule}: ${named}`, {
    metadata: {
      path: 'model',
      guardrail_id: rules.id,
      rule,
      ...(isAllowing(rule) ? { supported: rules[rule] } : {}),
    },
  });
}

const namedFor = (rule: Rule, model: string, offers: readonly Offer[]): string =>
  rule.endsWith('models') ? model : `any provider of ${model} (${providersOf(offers)})`;

const providersOf = (offers: readonly Offer[]): string =>
  [...new Set(offers.map(({ provider }) => provider))].join(', ');
