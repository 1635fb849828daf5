import { dynamo } from '../../aws/dynamo.ts';
import { kms } from '../../aws/kms.ts';
import { systemClock } from '../../clock.ts';
import { setting } from '../../environment.ts';
import { ProviderKeyStore } from '../../provider-keys/provider-key-store.ts';
import { ProviderKeys } from '../../provider-keys/provider-keys.ts';
import { type SecretOwner, sealSecret } from '../../provider-keys/secret-box.ts';

export const providerKeyStore = () => new ProviderKeyStore(dynamo, setting('providerKeysTable'));

/** For functions that may decrypt. */
export const providerKeys = () =>
  new ProviderKeys({
    store: providerKeyStore(),
    kms,
    kmsKeyId: setting('providerKeysKmsKey'),
    now: systemClock,
  });

/** For functions that may encrypt. */
export function secretSealer() {
  const kmsKeyId = setting('providerKeysKmsKey');
  return (owner: SecretOwner, secret: string) => sealSecret(kms, kmsKeyId, owner, secret);
}
