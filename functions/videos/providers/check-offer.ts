import * as v from 'valibot';
import { invalidField } from '../../http/errors.ts';
import { validate } from '../../http/validation.ts';
import { endpointSchema, type VideoEndpoint } from '../catalogue/offer.ts';
import { adapterOf, type ProvidersSettings, settingsOf } from './provider-settings.ts';
import { providerNames, providerOf } from './registry.ts';

/**
 * Checks a row for a running stage, by the rules of the file and one more: it must not need anything that only a
 * deployment can give.
 * @throws InvalidRequest
 */
export function checkEndpoint(row: unknown, providers: ProvidersSettings): VideoEndpoint {
  const endpoint = validate(endpointSchema, row);
  const { provider } = endpoint;
  if (settingsOf(provider, providers) === undefined) {
    const supported = Object.keys(providers);
    const rule = `${provider} is not configured on this stage; configured: ${supported.join(', ')}`;
    throw invalidField('provider', rule, { supported });
  }
  const fault = endpointFault(endpoint, providers);
  if (fault !== undefined) throw invalidField('provider', fault);
  if (adapterOf(provider, providers) === 'bedrock') {
    throw invalidField(
      'provider',
      'a Bedrock model needs a permission; add it to the models of the stage, with a deployment',
    );
  }
  return endpoint;
}

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
