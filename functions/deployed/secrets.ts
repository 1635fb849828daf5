import { kms } from '../aws/kms.ts';
import type { ChangePorts } from '../broadcast/change-destination.ts';
import type { PostSpanPorts } from '../broadcast/post-span.ts';
import { headerOpener, sealHeaders } from '../broadcast/sealed-headers.ts';
import { systemClock } from '../clock.ts';
import { parseAllowedHosts } from '../egress/url-policy.ts';
import { setting } from '../environment.ts';
import { ProviderSecrets } from '../provider-keys/provider-secrets.ts';
import { type SecretOwner, sealSecret } from '../provider-keys/secret-box.ts';
import { destinationStore, providerKeyStore } from './stores.ts';

/** For functions that may decrypt. */
export const providerKeys = () =>
  new ProviderSecrets({
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

/** For functions that may send traces. */
export const postSpanPorts = (fetch: typeof globalThis.fetch): PostSpanPorts => ({
  fetch,
  now: systemClock,
  openHeaders: headerOpener(kms, setting('providerKeysKmsKey')),
});

/** For functions that set where traces go. */
export function destinationPorts(): ChangePorts {
  const sealing = { kms, kmsKeyId: setting('providerKeysKmsKey') };
  return {
    destinations: destinationStore(),
    seal: (headers, workspaceId) => sealHeaders(headers, workspaceId, sealing),
    allowedHosts: parseAllowedHosts(setting('privateHosts')),
    now: systemClock,
  };
}
