import { invoke, lambda } from '../../aws/invoke.ts';
import { systemClock } from '../../clock.ts';
import { parseAllowedHosts } from '../../egress/allowed-hosts.ts';
import { createEgress } from '../../egress/egress-fetch.ts';
import { setting } from '../../environment.ts';
import { askForAccountKey } from '../../files/account-keys/ask-for-account-key.ts';
import { anthropicFiles } from '../../files/providers/anthropic-files.ts';
import { providerBaseUrlsVariable } from '../../files/providers/base-urls.ts';
import type { FileProviderName, ProviderFiles } from '../../files/providers/file-provider.ts';
import { openaiFiles } from '../../files/providers/openai-files.ts';
import { authorizationOf } from '../../gate/authentication.ts';
import type { Headers } from '../../http/call.ts';

const ADAPTERS = { openai: openaiFiles, anthropic: anthropicFiles };

/** Well within a function's time-out; the server that takes large uploads gives more. */
export const FUNCTION_MILLISECONDS = 15_000;

/** @throws InvalidRequest where the workspace has stored no key that this caller may use */
export type ProviderFilesOf = (
  provider: FileProviderName,
  workspaceId: string,
  caller: Headers,
) => Promise<ProviderFiles>;

/** Reaches the accounts of workspaces at their providers, with their stored keys. */
export function providerFiles(deadlineMilliseconds = FUNCTION_MILLISECONDS): ProviderFilesOf {
  const baseUrls = setting('providerBaseUrls', providerBaseUrlsVariable);
  const opener = setting('openProviderKeyFunction');
  const askForKey = askForAccountKey((request) => invoke(lambda, opener, request));
  const fetch = createEgress({ allowed: parseAllowedHosts(setting('privateHosts')), deadlineMilliseconds });
  return async (name, workspaceId, caller) => {
    const authorization = authorizationOf(caller);
    const apiKey = await askForKey({ authorization, workspaceId, provider: name });
    return ADAPTERS[name]({ name, baseUrl: baseUrls[name], apiKey, fetch, now: systemClock });
  };
}
