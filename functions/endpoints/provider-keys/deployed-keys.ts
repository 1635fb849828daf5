import * as v from 'valibot';
import { kms } from '../../aws/kms.ts';
import { systemClock } from '../../clock.ts';
import { readEnvironment } from '../../environment.ts';
import { ProviderKeys } from '../../provider-keys/provider-keys.ts';
import { providerKeyStore } from './deployed-store.ts';

/** For functions that may decrypt. */
export function deployedProviderKeys(): ProviderKeys {
  const { PROVIDER_KEYS_KMS_KEY } = readEnvironment({ PROVIDER_KEYS_KMS_KEY: v.string() });
  return new ProviderKeys({
    store: providerKeyStore(),
    kms,
    kmsKeyId: PROVIDER_KEYS_KMS_KEY,
    now: systemClock,
  });
}
