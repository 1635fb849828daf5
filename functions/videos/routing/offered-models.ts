import type { GuardrailChange } from '../../guardrails/guardrail.ts';
import { invalidField, NotFound } from '../../http/errors.ts';
import { suggestion } from '../../http/unknown-names.ts';
import type { Catalogue, VideoModel } from '../catalogue/catalogue.ts';
import { modelOf, type Offer } from '../catalogue/offer.ts';
import { type ProvidersSettings, settingsOf } from '../providers/provider-settings.ts';

/** The models that a submit can name, each with the offers that the stage offers. */
export function offeredModels(catalogue: Catalogue, providers: ProvidersSettings, now: Date): VideoModel[] {
  return catalogue.models
    .map((model) => ({ ...model, offers: offeredOf(model, catalogue, providers, now) }))
    .filter(({ offers }) => offers.length > 0);
}

/** @throws NotFound with a hint */
export function offeredModel(
  id: string,
  catalogue: Catalogue,
  providers: ProvidersSettings,
  now: Date,
): VideoModel {
  const model = catalogue.model(id);
  const offers = model === undefined ? [] : offeredOf(model, catalogue, providers, now);
  if (offers.length > 0) return { id, offers };
  const why = model?.offers.map((offer) => whyNotOffered(offer, catalogue, providers, now)).join('; ');
  throw new NotFound(
    `model: ${why ?? `there is no "${id}"${hint(id, catalogue, providers, now)}`}; GET /api/v1/videos/models lists those that can be used`,
    { metadata: { path: 'model' } },
  );
}

/** The caller may mean an offer's own id as well as a model's. */
function hint(id: string, catalogue: Catalogue, providers: ProvidersSettings, now: Date): string {
  const offered = offeredModels(catalogue, providers, now);
  const ids = offered.flatMap((model) => [model.id, ...model.offers.map((offer) => offer.id)]);
  const meant = suggestion(id, ids);
  return meant === undefined ? '' : `, did you mean "${meant}"?`;
}

const offeredOf = (
  { offers }: VideoModel,
  catalogue: Catalogue,
  providers: ProvidersSettings,
  now: Date,
): Offer[] => offers.filter((offer) => whyNotOffered(offer, catalogue, providers, now) === undefined);

export function whyNotOffered(
  { id, provider, eol_at }: Offer,
  catalogue: Pick<Catalogue, 'isPaused'>,
  providers: ProvidersSettings,
  now: Date,
): string | undefined {
  if (eol_at !== undefined && now.getTime() >= Date.parse(eol_at)) {
    return `${id} was ended by its vendor on ${eol_at}`;
  }
  if (settingsOf(provider, providers) === undefined) {
    return `${id} is run by ${provider}, which is not configured here`;
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
  assertNames(rules, ['allowed_models', 'ignored_models'], models, 'model');
  assertNames(rules, ['allowed_providers', 'ignored_providers'], servers, 'provider');
}

function assertNames<Field extends keyof GuardrailChange>(
  rules: Readonly<Partial<Record<Field, readonly string[] | null | undefined>>>,
  fields: readonly Field[],
  known: ReadonlySet<string>,
  kind: string,
): void {
  for (const field of fields) {
    const wrong = rules[field]?.find((name) => !known.has(name));
    if (wrong === undefined) continue;
    const supported = [...known].toSorted();
    const rule = `there is no ${kind} or endpoint "${wrong}"; known: ${supported.join(', ')}`;
    throw invalidField(field, rule, { supported });
  }
}
