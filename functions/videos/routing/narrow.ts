import type { Guardrail } from '../../guardrails/guardrail.ts';
import { invalidField, NotFound } from '../../http/errors.ts';
import { formatUsd, least } from '../../money/micros.ts';
import type { VideoModel } from '../catalogue/catalogue.ts';
import { modelOf, type Offer } from '../catalogue/offer.ts';
import type { ProviderPreferences } from '../catalogue/provider-preferences.ts';
import type { Candidate } from './accounts.ts';

/** A caller names a provider, or one offer by its id. */
export const isNamed = ({ id, provider }: Offer, names: readonly string[]): boolean =>
  names.includes(provider) || names.includes(id);

/** @throws InvalidRequest for an unknown name: with a typing error a wrong provider could serve */
export function assertKnown(preferences: ProviderPreferences, known: ReadonlySet<string>): void {
  for (const field of ['order', 'only', 'ignore'] as const) {
    const wrong = preferences[field]?.find((name) => !known.has(name));
    if (wrong === undefined) continue;
    const supported = [...known].toSorted();
    const rule = `there is no provider or endpoint "${wrong}"; known: ${supported.join(', ')}`;
    throw invalidField(['provider', field], rule, { supported });
  }
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
  const supported = offers.map(({ provider }) => provider);
  const field = only === undefined ? 'ignore' : 'only';
  throw invalidField(['provider', field], `leaves no endpoint of ${id}; it has ${supported.join(', ')}`, {
    supported,
  });
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
    `${formatUsd(most)} is too little; the cheapest endpoint makes this for ${formatUsd(least(first, ...others))}`,
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
 * @throws NotFound that names the rule which leaves none
 */
export function withinGuardrail(model: VideoModel, rules: GuardrailRules): VideoModel {
  let { offers } = model;
  for (const rule of RULES) {
    const left = offers.filter((offer) => mayServe(offer, rule, rules[rule]));
    if (left.length === 0) throw refusal(model.id, offers, rule, rules);
    offers = left;
  }
  return { ...model, offers };
}

function mayServe(offer: Offer, rule: Rule, names: readonly string[] | null): boolean {
  if (names === null) return true;
  const isNamed = NAMES[rule](offer).some((name) => names.includes(name));
  return isNamed === isAllowing(rule);
}

const isAllowing = (rule: Rule): boolean => rule === 'allowed_models' || rule === 'allowed_providers';

/** A 404, because a submit's table of statuses has no 403. */
function refusal(model: string, offers: readonly Offer[], rule: Rule, rules: GuardrailRules) {
  const named = (rules[rule] ?? []).join(', ');
  const what = rule.endsWith('models') ? model : `any provider of ${model} (${providersOf(offers)})`;
  const instead = isAllowing(rule) ? `it allows ${named}` : `it allows all but ${named}`;
  return new NotFound(`model: the guardrail "${rules.name}" does not allow ${what}; ${rule}: ${instead}`, {
    metadata: {
      path: 'model',
      guardrail_id: rules.id,
      rule,
      ...(isAllowing(rule) ? { supported: rules[rule] } : {}),
    },
  });
}

const providersOf = (offers: readonly Offer[]): string =>
  [...new Set(offers.map(({ provider }) => provider))].join(', ');
