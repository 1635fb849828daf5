import { parseAllowedHosts } from '../../egress/url-policy.ts';
import { setting } from '../../environment.ts';
import {
  type FileProviderName,
  type ProviderFiles,
  providerBaseUrlsVariable,
} from '../../files/providers/file-provider.ts';
import type { Headers } from '../../http/call.ts';

/** Well within a function's time-out; the server that takes large uploads gives more. */
export const FUNCTION_MILLISECONDS = 15_000;

/** @throws InvalidRequest where the workspace has stored no key that this caller may use */
export type ProviderFilesOf = (
  provider: FileProviderName,
  workspaceId: string,
  caller: Headers,
) => Promise<ProviderFiles>;

/**
 * Reaches the accounts of workspaces at their providers, with the keys that they have stored. What does is loaded with the
 * first request that names a provider: most name none, and it is as much code as all the rest of a function.
 */
export function providerAccounts(deadlineMilliseconds = FUNCTION_MILLISECONDS): ProviderFilesOf {
  const settings = {
    baseUrls: setting('providerBaseUrls', providerBaseUrlsVariable),
    opener: setting('openProviderKeyFunction'),
    allowed: parseAllowedHosts(setting('privateHosts')),
    deadlineMilliseconds,
  };
  let loaded: Promise<ProviderFilesOf> | undefined;
  return async (...request) => {
    loaded ??= import('./provider-files.ts').then(({ providerFiles }) => providerFiles(settings));
    const accountAt = await loaded;
    return accountAt(...request);
  };
}
