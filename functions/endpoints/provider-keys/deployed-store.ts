import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { readEnvironment } from '../../environment.ts';
import { ProviderKeyStore } from '../../provider-keys/provider-key-store.ts';

/** The store over the deployment's table. */
export function providerKeyStore(): ProviderKeyStore {
  const { PROVIDER_KEYS_TABLE } = readEnvironment({ PROVIDER_KEYS_TABLE: v.string() });
  return new ProviderKeyStore(dynamo, PROVIDER_KEYS_TABLE);
}
