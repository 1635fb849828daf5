import type { GuardrailChange } from '../../guardrails/guardrail.ts';
import { invalidField, NotFound } from '../../http/errors.ts';
import { suggestion } from '../../http/unknown-names.ts';
import type { Catalogue, VideoModel } from '../catalogue/catalogue.ts';
import { modelOf, type VideoEndpoint } from '../catalogue/offer.ts';
import { type ProvidersSettings, settingsOf } from '../providers/provider-settings.ts';

/** The models that a submit can name, each with the endpoints that the stage offers. */
export function offeredModels(catalogue: Catalogue, providers: ProvidersSettings, now: Date): VideoModel[] {
  return catalogue.models
    .map((model) => ({ ...model, endpoints: offeredOf(model, catalogue, providers, now) }))
    .filter(({ endpoints }) => endpoints.length > 0);
}

/** @throws NotFound with a hint */
export function offeredModel(
  id: string,
  catalogue: Catalogue,
  providers: ProvidersSettings,
  now: Date,
): VideoModel {
  const model = catalogue.model(id);
  const endpoints = model === undefined ? [] : offeredOf(model, catalogue, providers, now);
  if (endpoints.length > 0) return { id, endpoints };
  const why = model?.endpoints
    .map((endpoint) => whyNotOffered(endpoint, catalogue, providers, now))
    .join('; ');
  throw new NotFound(
    `model: ${why ?? `there is no "${id}"${hint(id, catalogue, providers, now)}`}; GET /api/v1/videos/models lists those that can be used`,
    { metadata: { path: 'model' } },
  );
}

/** The caller may mean an endpoint's own id as well as a model's. */
function hint(id: string, catalogue: Catalogue, providers: ProvidersSettings, now: Date): string {
  const offered = offeredModels(catalogue, providers, now);
  const ids = offered.flatMap((model) => [model.id, ...model.endpoints.map((endpoint) => endpoint.id)]);
  const meant = suggestion(id, ids);
  return meant === undefined ? '' : `, did you mean "${meant}"?`;
}

const offeredOf = (
  { endpoints }: VideoModel,
  catalogue: Catalogue,
  providers: ProvidersSettings,
  now: Date,
): VideoEndpoint[] =>
  endpoints.filter((endpoint) => whyNotOffered(endpoint, catalogue, providers, now) === undefined);

export function whyNotOffered(
  { id, provider, eol_at }: VideoEndpoint,
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
export const knownProviders = ({ endpoints }: Catalogue, providers: ProvidersSettings): ReadonlySet<string> =>
  new Set([...endpoints.flatMap(({ id, provider }) => [id, provider]), ...Object.keys(providers)]);

const knownModels = ({ endpoints }: Catalogue): ReadonlySet<string> =>
  new Set(endpoints.flatMap((endpoint) => [endpoint.id, modelOf(endpoint)]));

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
