import type { ProviderContext } from '../provider.ts';

/** The address of a call: below the stage's base for the provider, or below the vendor's own. */
export function endpoint(context: ProviderContext, vendorBase: string, path: string): URL {
  const base = context.settings.base_url ?? vendorBase;
  return new URL(path, base.endsWith('/') ? base : `${base}/`);
}

/**
 * Whether an address that a provider names is of the provider: only there may its credential go, because
 * who can make it name another host could otherwise collect keys.
 */
export const isOwn = (url: string, own: URL): boolean => URL.parse(url)?.origin === own.origin;

/** An address that a provider names, where it is its own; else the documented one. */
export const ownOr = (documented: URL, named: string | undefined): string =>
  named !== undefined && isOwn(named, documented) ? named : documented.href;
