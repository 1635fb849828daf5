import { type ProviderContext, ProviderError } from '../provider.ts';

/** @throws ProviderError `credential` when the workspace has stored no key */
export function apiKey(context: ProviderContext): string {
  if (context.apiKey !== undefined) return context.apiKey;
  throw new ProviderError(
    'credential',
    'The workspace has no key for this provider; store one with POST /byok',
    { wasAsked: false },
  );
}

/** The header for a provider that takes `<scheme> <key>`. Absent if the stage says that the provider needs no key. */
export function authorization(context: ProviderContext, scheme = 'Bearer'): Record<string, string> {
  if (context.settings.credential === 'none') return {};
  return { authorization: `${scheme} ${apiKey(context)}` };
}
