import type { GuardrailChange } from '../../guardrails/guardrail.ts';
import { invalidField } from '../../http/invalid-field.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { modelOf } from '../catalogue/endpoint.ts';
import type { ProvidersSettings } from '../providers/provider-settings.ts';

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
