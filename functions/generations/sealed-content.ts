import { createCipheriv, createDecipheriv } from 'node:crypto';
import { DecryptCommand, GenerateDataKeyCommand, type KMSClient } from '@aws-sdk/client-kms';
import * as v from 'valibot';
import { NotFound } from '../http/errors.ts';
import { type Content, contentSchema } from './content.ts';
import type { ContentStore } from './content-store.ts';
import type { Generation } from './generation.ts';

/**
 * The generation that it belongs to. KMS binds the data key to it and shows it in CloudTrail, so it must not be secret.
 */
export interface ContentOwner {
  readonly workspace_id: string;
  readonly generation_id: string;
}

export interface SealedContent {
  /** The key that encrypts this content and nothing else, encrypted by KMS. */
  readonly data_key: Uint8Array;
  /** AES-256-GCM: the ciphertext, followed by its tag. */
  readonly content: Uint8Array;
}

const CIPHER = 'aes-256-gcm';
const TAG_BYTES = 16;
/** Each data key encrypts one text only, so key and nonce never meet twice. */
const NONCE = Buffer.alloc(12);

const contextOf = ({ workspace_id, generation_id }: ContentOwner) => ({ workspace_id, generation_id });

/** Needs the right to make data keys only; with that alone nothing can be opened. */
export async function sealContent(
  kms: KMSClient,
  kmsKeyId: string,
  owner: ContentOwner,
  text: string,
): Promise<SealedContent> {
  const { Plaintext, CiphertextBlob } = await kms.send(
    new GenerateDataKeyCommand({
      KeyId: kmsKeyId,
      KeySpec: 'AES_256',
      EncryptionContext: contextOf(owner),
    }),
  );
  if (Plaintext === undefined || CiphertextBlob === undefined) throw new Error('KMS returned no data key');
  const cipher = createCipheriv(CIPHER, Plaintext, NONCE);
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return { data_key: CiphertextBlob, content };
}

/** @throws InvalidCiphertextException when the data key is another owner's; Error when the content was changed */
export async function unsealContent(
  kms: KMSClient,
  kmsKeyId: string,
  owner: ContentOwner,
  { data_key, content }: SealedContent,
): Promise<string> {
  const { Plaintext } = await kms.send(
    new DecryptCommand({
      KeyId: kmsKeyId,
      CiphertextBlob: data_key,
      EncryptionContext: contextOf(owner),
    }),
  );
  if (Plaintext === undefined) throw new Error('KMS returned no plaintext');
  const end = content.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, Plaintext, NONCE).setAuthTag(content.subarray(end));
  return Buffer.concat([decipher.update(content.subarray(0, end)), decipher.final()]).toString('utf8');
}

export interface OpenPorts {
  readonly contents: Pick<ContentStore, 'find'>;
  readonly unseal: (owner: ContentOwner, sealed: SealedContent) => Promise<string>;
  readonly now: () => Date;
}

const textSchema = v.pipe(v.string(), v.parseJson(), contentSchema);

/** @throws NotFound where the generation was never logged, or its log has expired */
export async function openContent(
  { workspace_id, id: generation_id }: Generation,
  { contents, unseal, now }: OpenPorts,
): Promise<Content> {
  const owner = { workspace_id, generation_id };
  const sealed = await contents.find(owner, now());
  if (sealed === undefined)
    throw new NotFound('There is no log of this generation: it has not been logged, or its log has expired');
  return v.parse(textSchema, await unseal(owner, sealed));
}
