import { type ProviderContext, ProviderError } from '../provider.ts';

/** @throws ProviderError `credential` when the workspace has stored no key */
export function apiKey(context: ProviderContext): string {
  if (context.apiKey !== undefined) return context.apiKey;
  throw new ProviderError('credential', 'The workspace has stored no key for this provider');
}

/** The header of a provider that takes `<scheme> <key>`; none where the stage says that it takes none. */
export function authorization(context: ProviderContext, scheme = 'Bearer'): Record<string, string> {
  if (context.settings.credential === 'none') return {};
  return { authorization: `${scheme} ${apiKey(context)}` };
}
