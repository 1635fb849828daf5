import { invoke, lambda } from '../../aws/invoke.ts';
import { systemClock } from '../../clock.ts';
import { createEgress, type EgressOptions } from '../../egress/egress-fetch.ts';
import { askForAccountKey } from '../../files/providers/account-keys.ts';
import { anthropicFiles } from '../../files/providers/anthropic-files.ts';
import type { FileProviderName } from '../../files/providers/file-provider.ts';
import { openaiFiles } from '../../files/providers/openai-files.ts';
import { authorizationOf } from '../../gate/credential.ts';
import type { ProviderFilesOf } from './provider-accounts.ts';

const ADAPTERS = { openai: openaiFiles, anthropic: anthropicFiles };

export interface ProviderFilesSettings extends Pick<EgressOptions, 'allowed' | 'deadlineMilliseconds'> {
  readonly baseUrls: Readonly<Record<FileProviderName, string>>;
  /** The function that opens stored keys. */
  readonly opener: string;
}

export function providerFiles({ baseUrls, opener, ...limits }: ProviderFilesSettings): ProviderFilesOf {
  const askForKey = askForAccountKey((request) => invoke(lambda, opener, request));
  const fetch = createEgress(limits);
  return async (name, workspaceId, caller) => {
    const authorization = authorizationOf(caller);
    const apiKey = await askForKey({ authorization, workspaceId, provider: name });
    return ADAPTERS[name]({ name, baseUrl: baseUrls[name], apiKey, fetch, now: systemClock });
  };
}
