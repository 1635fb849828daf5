import * as v from 'valibot';
import type { VideoEndpoint } from '../catalogue/endpoint.ts';
import { adapterOf, type ProvidersSettings } from './provider-settings.ts';
import { providerNames, providerOf } from './registry.ts';

/** Why a row cannot be served: its provider has no adapter, or one that does not know its dialect. */
export function endpointFault(
  { provider, dialect }: Pick<VideoEndpoint, 'provider' | 'dialect'>,
  providers: ProvidersSettings,
): string | undefined {
  const adapter = adapterOf(provider, providers);
  if (!providerNames().includes(adapter)) return `names a provider without an adapter: ${provider}`;
  const { dialect: known = v.strictObject({}) } = providerOf(adapter);
  return v.is(known, dialect) ? undefined : `has a dialect that ${provider} does not know`;
}
