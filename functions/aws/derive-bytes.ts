import { GenerateMacCommand, type KMSClient } from '@aws-sdk/client-kms';

/** 32 bytes for a name: always the same, and impossible to guess without the key. */
export type DeriveBytes = (name: string) => Promise<Uint8Array>;

/** Derives with an HMAC key in KMS. The results are kept for the life of the function instance. */
export function kmsDerivation(client: KMSClient, keyId: string): DeriveBytes {
  const derived = new Map<string, Uint8Array>();
  return async (name) => {
    const known = derived.get(name);
    if (known !== undefined) return known;
    const { Mac } = await client.send(
      new GenerateMacCommand({ KeyId: keyId, MacAlgorithm: 'HMAC_SHA_256', Message: Buffer.from(name) }),
    );
    if (Mac === undefined) throw new Error('KMS returned no MAC');
    derived.set(name, Mac);
    return Mac;
  };
}
