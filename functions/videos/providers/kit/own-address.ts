import type { ProviderContext } from '../provider.ts';

/** The address of a call: below the stage's base for the provider, or else below the vendor's own. */
export function endpoint(context: ProviderContext, vendorBase: string, path: string): URL {
  const base = context.settings.base_url ?? vendorBase;
  return new URL(path, base.endsWith('/') ? base : `${base}/`);
}

/**
 * Whether an address from a provider's answer belongs to the provider. Its credential goes nowhere else: whoever could
 * make it name another host would collect keys.
 */
export const isOwn = (url: string, own: URL): boolean => URL.parse(url)?.origin === own.origin;

/** The address from a provider's answer, if it belongs to the provider; otherwise the documented one. */
export const ownOr = (documented: URL, named: string | undefined): string =>
  named !== undefined && isOwn(named, documented) ? named : documented.href;
