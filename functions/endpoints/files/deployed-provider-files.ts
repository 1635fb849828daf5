import * as v from 'valibot';
import { systemClock } from '../../clock.ts';
import { parseAllowedHosts } from '../../egress/allowed-hosts.ts';
import { createEgress } from '../../egress/egress-fetch.ts';
import { readEnvironment } from '../../environment.ts';
import { anthropicFiles } from '../../files/providers/anthropic-files.ts';
import { providerBaseUrlsVariable } from '../../files/providers/base-urls.ts';
import type { FileProviderName, ProviderFiles } from '../../files/providers/file-provider.ts';
import { openaiFiles } from '../../files/providers/openai-files.ts';
import { invalidField } from '../../http/invalid-field.ts';
import type { Principal } from '../../http/principal.ts';
import { deployedProviderKeys } from '../provider-keys/deployed-keys.ts';

const ADAPTERS = { openai: openaiFiles, anthropic: anthropicFiles };

/** Well within a function's time-out; the server that takes large uploads gives more. */
export const FUNCTION_MILLISECONDS = 15_000;

/** @throws InvalidRequest where the workspace has stored no key that this caller may use */
export type ProviderFilesOf = (
  provider: FileProviderName,
  workspaceId: string,
  principal: Principal,
) => Promise<ProviderFiles>;

/** Reaches the accounts of workspaces at their providers, with the keys that they have stored. */
export function deployedProviderFiles(deadlineMilliseconds = FUNCTION_MILLISECONDS): ProviderFilesOf {
  const { PRIVATE_HOSTS, PROVIDER_BASE_URLS } = readEnvironment({
    PRIVATE_HOSTS: v.string(),
    PROVIDER_BASE_URLS: providerBaseUrlsVariable,
  });
  const keys = deployedProviderKeys();
  const fetch = createEgress({ allowed: parseAllowedHosts(PRIVATE_HOSTS), deadlineMilliseconds });
  return async (name, workspaceId, { keyHash, creator }) => {
    const apiKey = await keys.find(workspaceId, name, { keyHash, userId: creator });
    if (apiKey === undefined) {
      throw invalidField(['provider'], `no key for ${name} is stored for this workspace; add one at /byok`);
    }
    return ADAPTERS[name]({ name, baseUrl: PROVIDER_BASE_URLS[name], apiKey, fetch, now: systemClock });
  };
}
