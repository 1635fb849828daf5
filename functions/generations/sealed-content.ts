import { createCipheriv, createDecipheriv } from 'node:crypto';
import { DecryptCommand, GenerateDataKeyCommand, type KMSClient } from '@aws-sdk/client-kms';

/** Of which generation it is. KMS binds the data key to it and shows it in CloudTrail: nothing secret belongs here. */
export interface Owner {
  readonly workspace_id: string;
  readonly generation_id: string;
}

export interface Sealed {
  /** The key that this content alone is encrypted with, encrypted by KMS. */
  readonly data_key: Uint8Array;
  /** AES-256-GCM: the ciphertext, and its tag behind it. */
  readonly content: Uint8Array;
}

const CIPHER = 'aes-256-gcm';
const TAG_BYTES = 16;
/** A data key encrypts one text in its life, so no other text can have the same key and nonce. */
const NONCE = Buffer.alloc(12);

const contextOf = ({ workspace_id, generation_id }: Owner) => ({ workspace_id, generation_id });

/** Needs the right to make data keys, which opens nothing that was sealed before. */
export async function seal(kms: KMSClient, kmsKeyId: string, owner: Owner, text: string): Promise<Sealed> {
  const { Plaintext, CiphertextBlob } = await kms.send(
    new GenerateDataKeyCommand({
      KeyId: kmsKeyId,
      KeySpec: 'AES_256',
      EncryptionContext: contextOf(owner),
    }),
  );
  if (Plaintext === undefined || CiphertextBlob === undefined) throw new Error('KMS made no data key');
  const cipher = createCipheriv(CIPHER, Plaintext, NONCE);
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return { data_key: CiphertextBlob, content };
}

/** @throws InvalidCiphertextException when the data key is another owner's; Error when the content was changed */
export async function unseal(
  kms: KMSClient,
  kmsKeyId: string,
  owner: Owner,
  { data_key, content }: Sealed,
): Promise<string> {
  const { Plaintext } = await kms.send(
    new DecryptCommand({
      KeyId: kmsKeyId,
      CiphertextBlob: data_key,
      EncryptionContext: contextOf(owner),
    }),
  );
  if (Plaintext === undefined) throw new Error('KMS decrypted nothing');
  const end = content.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, Plaintext, NONCE).setAuthTag(content.subarray(end));
  return Buffer.concat([decipher.update(content.subarray(0, end)), decipher.final()]).toString('utf8');
}
