import { GenerateMacCommand, type KMSClient } from '@aws-sdk/client-kms';
import type { WebhookSettings } from './webhook-settings.ts';

/** A workspace's secrets, newest first: the ones that sign now. */
export interface SigningSecrets {
  secret(workspaceId: string, version: number): Promise<Uint8Array>;
  active(workspaceId: string, settings: WebhookSettings, now: Date): Promise<Uint8Array[]>;
}

/**
 * Derives secrets from an HMAC key in KMS: 32 bytes that only that key can make, the same for a
 * workspace and version each time. What is derived once is kept for the life of the function instance.
 */
export function kmsSigningSecrets(client: KMSClient, keyId: string): SigningSecrets {
  const derived = new Map<string, Uint8Array>();

  async function secret(workspaceId: string, version: number): Promise<Uint8Array> {
    const name = `webhook-secret/${workspaceId}/${version}`;
    const known = derived.get(name);
    if (known !== undefined) return known;
    const { Mac } = await client.send(
      new GenerateMacCommand({ KeyId: keyId, MacAlgorithm: 'HMAC_SHA_256', Message: Buffer.from(name) }),
    );
    if (Mac === undefined) throw new Error('KMS answered without a MAC');
    derived.set(name, Mac);
    return Mac;
  }

  return {
    secret,
    active(workspaceId, { secret_version: version, previous_secret_until: until }, now) {
      const versions = now.getTime() < until ? [version, version - 1] : [version];
      return Promise.all(versions.map((each) => secret(workspaceId, each)));
    },
  };
}
