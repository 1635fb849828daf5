import * as v from 'valibot';
import { createEgress } from '../../egress/egress-fetch.ts';
import type { FileProviderName } from '../../files/providers/file-provider.ts';
import { ApiError } from '../../http/errors.ts';
import type { KeyTest } from '../../provider-keys/shown-provider-key.ts';
import { ProviderError } from '../../videos/providers/provider.ts';
import { adapterOf, type ProvidersSettings, settingsOf } from '../../videos/providers/provider-settings.ts';
import { providerOf } from '../../videos/providers/registry.ts';
import { contextOfKey, type KeyContextOptions } from '../../videos/worker/provider-contexts.ts';
import { fileAdapters } from '../files/provider-files.ts';

export interface KeyTestOptions extends KeyContextOptions {
  readonly videoProviders: ProvidersSettings;
  readonly fileBaseUrls: Readonly<Record<FileProviderName, string>>;
}

type Test = (secret: string) => Promise<KeyTest>;

/**
 * How keys of a provider are tested: by a read that only a valid key can make. Undefined where the deployment calls the
 * provider without keys, or not at all: then it has no right to decrypt them.
 */
export const keyTestOf = (provider: string, options: KeyTestOptions): Test | undefined =>
  videoKeyTest(provider, options) ?? fileKeyTest(provider, options);

function videoKeyTest(provider: string, options: KeyTestOptions): Test | undefined {
  const settings = settingsOf(provider, options.videoProviders);
  if (settings === undefined || settings.credential === 'none') return undefined;
  const { checkKey } = providerOf(adapterOf(provider, options.videoProviders));
  return checkKey && ((secret) => outcomeOf(() => checkKey(contextOfKey(secret, settings, options))));
}

function fileKeyTest(provider: string, options: KeyTestOptions): Test | undefined {
  if (!isFileProvider(provider)) return undefined;
  const { allowedHosts: allowed, milliseconds: deadlineMilliseconds, now } = options;
  const fetch = createEgress({ allowed, deadlineMilliseconds });
  const baseUrl = options.fileBaseUrls[provider];
  return (apiKey) =>
    outcomeOf(() =>
      fileAdapters[provider]({ name: provider, baseUrl, apiKey, fetch, now }).list({
        limit: 1,
        after: undefined,
      }),
    );
}

const isFileProvider = (name: string): name is FileProviderName => Object.hasOwn(fileAdapters, name);

async function outcomeOf(check: () => Promise<unknown>): Promise<KeyTest> {
  try {
    await check();
    return { outcome: 'accepted', message: null };
  } catch (error) {
    if (!(error instanceof ProviderError || error instanceof ApiError)) throw error;
    return { outcome: isRejection(error) ? 'rejected' : 'unknown', message: error.message };
  }
}

const rejectionSchema = v.object({ provider_status: v.picklist([401, 402, 403]) });

const isRejection = (error: ProviderError | ApiError): boolean =>
  error instanceof ProviderError ? error.kind === 'credential' : v.is(rejectionSchema, error.metadata);
