import { invalidField } from '../../http/invalid-field.ts';
import { formatUsd, least } from '../../money/micros.ts';
import type { VideoModel } from '../catalogue/catalogue.ts';
import type { VideoEndpoint } from '../catalogue/endpoint.ts';
import type { ProviderPreferences } from '../catalogue/provider-preferences.ts';
import type { Candidate } from './candidate.ts';

/** A caller names a provider, or one endpoint by its id. */
export const isNamed = ({ id, provider }: VideoEndpoint, names: readonly string[]): boolean =>
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

/** @throws InvalidRequest when the caller's preferences leave no endpoint of the model */
export function allowedEndpoints(
  { id, endpoints }: VideoModel,
  { only, ignore }: ProviderPreferences,
): readonly VideoEndpoint[] {
  const allowed = endpoints.filter(
    (endpoint) => (only === undefined || isNamed(endpoint, only)) && !isNamed(endpoint, ignore),
  );
  if (allowed.length > 0) return allowed;
  const supported = endpoints.map(({ provider }) => provider);
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
