import { DecryptCommand, EncryptCommand, type KMSClient } from '@aws-sdk/client-kms';
import type { StoredProviderKey } from './provider-key.ts';

/** The owner of a secret. KMS binds the ciphertext to it and shows it in CloudTrail, so it must not be secret. */
export type SecretOwner = Pick<StoredProviderKey, 'id' | 'workspace_id' | 'provider'>;

const contextOf = ({ id, workspace_id, provider }: SecretOwner) => ({ id, workspace_id, provider });

export async function sealSecret(
  kms: KMSClient,
  kmsKeyId: string,
  owner: SecretOwner,
  secret: string,
): Promise<string> {
  const { CiphertextBlob } = await kms.send(
    new EncryptCommand({
      KeyId: kmsKeyId,
      Plaintext: Buffer.from(secret),
      EncryptionContext: contextOf(owner),
    }),
  );
  if (CiphertextBlob === undefined) throw new Error('KMS returned no ciphertext');
  return Buffer.from(CiphertextBlob).toString('base64');
}

/** @throws InvalidCiphertextException when the ciphertext is another owner's */
export async function unsealSecret(
  kms: KMSClient,
  kmsKeyId: string,
  owner: SecretOwner,
  ciphertext: string,
): Promise<string> {
  const { Plaintext } = await kms.send(
    new DecryptCommand({
      KeyId: kmsKeyId,
      CiphertextBlob: Buffer.from(ciphertext, 'base64'),
      EncryptionContext: contextOf(owner),
    }),
  );
  if (Plaintext === undefined) throw new Error('KMS returned no plaintext');
  return Buffer.from(Plaintext).toString();
}
