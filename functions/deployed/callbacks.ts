import { memoize } from '@smithy/core/config';
import * as v from 'valibot';
import { kmsDerivation } from '../aws/derive-bytes.ts';
import { setting } from '../environment.ts';
import { log } from '../telemetry/logger.ts';
import { type CallbackAddress, callbackAddress } from '../videos/callbacks/callback-address.ts';
import { deploymentKey } from '../webhooks/signature.ts';

/** Undefined where the stage asks nobody to call it. */
export function callbackAddresses(): CallbackAddress | undefined {
  const callbacks = setting('providerCallbacks', v.optional(v.string(), 'off'));
  if (callbacks === 'off') return undefined;
  const keyId = setting('signingKeyId');
  const key = memoize(async () => {
    const { kms } = await import('../aws/kms.ts');
    return deploymentKey(kmsDerivation(kms, keyId));
  });
  return callbackAddress({ origin: callbacks === 'on' ? undefined : callbacks, key, log });
}
