import { kms } from '../../aws/kms.ts';
import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { providerKeyStore } from '../../deployed/stores.ts';
import { parseAllowedHosts } from '../../egress/url-policy.ts';
import { setting } from '../../environment.ts';
import { providerBaseUrlsVariable } from '../../files/providers/file-provider.ts';
import { json } from '../../http/response.ts';
import { findProviderKey } from '../../provider-keys/find-provider-key.ts';
import { unsealSecret } from '../../provider-keys/secret-box.ts';
import { providersVariable } from '../../videos/providers/provider-settings.ts';
import { routes } from './definition.ts';
import { keyTestOf } from './key-test.ts';

/** The caller waits for it. */
const PROVIDER_MILLISECONDS = 10_000;

const providerKeys = providerKeyStore();
const kmsKeyId = setting('providerKeysKmsKey');
const options = {
  videoProviders: setting('videoProviders', providersVariable),
  fileBaseUrls: setting('providerBaseUrls', providerBaseUrlsVariable),
  allowedHosts: parseAllowedHosts(setting('privateHosts')),
  milliseconds: PROVIDER_MILLISECONDS,
  now: systemClock,
};

/** Disabled keys are tested too: before they are enabled. */
export const handler = routeHandler(routes['test-provider-key'], async ({ path, principal }) => {
  const stored = await findProviderKey(principal, providerKeys, path.id);
  const test = keyTestOf(stored.provider, options);
  if (test === undefined) {
    const message = `This deployment does not call ${stored.provider} with provider keys`;
    return json(200, { data: { outcome: 'unknown', message } });
  }
  const secret = await unsealSecret(kms, kmsKeyId, stored, stored.ciphertext);
  return json(200, { data: await test(secret) });
});
