import { systemClock } from '../../clock.ts';
import { parseAllowedHosts } from '../../egress/allowed-hosts.ts';
import { createEgress } from '../../egress/egress-fetch.ts';
import { setting } from '../../environment.ts';
import { anthropicFiles } from '../../files/providers/anthropic-files.ts';
import { providerBaseUrlsVariable } from '../../files/providers/base-urls.ts';
import type { FileProviderName, ProviderFiles } from '../../files/providers/file-provider.ts';
import { openaiFiles } from '../../files/providers/openai-files.ts';
import { invalidField } from '../../http/invalid-field.ts';
import type { Principal } from '../../http/principal.ts';
import { providerKeys } from '../provider-keys/deployed.ts';

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
export function providerFiles(deadlineMilliseconds = FUNCTION_MILLISECONDS): ProviderFilesOf {
  const baseUrls = setting('providerBaseUrls', providerBaseUrlsVariable);
  const keys = providerKeys();
  const fetch = createEgress({ allowed: parseAllowedHosts(setting('privateHosts')), deadlineMilliseconds });
  return async (name, workspaceId, { keyHash, creator }) => {
    const apiKey = await keys.find(workspaceId, name, { keyHash, userId: creator });
    if (apiKey === undefined) {
      throw invalidField('provider', `no key for ${name} is stored for this workspace; add one at /byok`);
    }
    return ADAPTERS[name]({ name, baseUrl: baseUrls[name], apiKey, fetch, now: systemClock });
  };
}
