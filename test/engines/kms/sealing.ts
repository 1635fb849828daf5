import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import { ServiceError } from '../service.ts';
import type { Key, Keys } from './keys.ts';

/** Decryption needs the same context as encryption. */
export type EncryptionContext = Readonly<Record<string, string>>;

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The key's id, a nonce, a tag and the text, encrypted with AES-256-GCM. */
export function encrypt(key: Key, context: EncryptionContext, nonceSeed: string, plaintext: Buffer): Buffer {
  const nonce = createHmac('sha256', key.material).update(nonceSeed).digest().subarray(0, NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key.material, nonce).setAAD(bytesOf(context));
  const sealed = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([Buffer.from(`${key.id}.`), nonce, cipher.getAuthTag(), sealed]);
}

/** @throws ServiceError if it is no ciphertext of these keys, was changed, or has another context */
export function decrypt(
  keys: Keys,
  context: EncryptionContext,
  ciphertext: Buffer,
): { key: Key; plaintext: Buffer } {
  const start = ciphertext.indexOf('.') + 1;
  const sealed = ciphertext.subarray(start + NONCE_BYTES + TAG_BYTES);
  try {
    const key = keys.findFor('ENCRYPT_DECRYPT', ciphertext.subarray(0, start - 1).toString());
    const nonce = ciphertext.subarray(start, start + NONCE_BYTES);
    const tag = ciphertext.subarray(start + NONCE_BYTES, start + NONCE_BYTES + TAG_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', key.material, nonce)
      .setAAD(bytesOf(context))
      .setAuthTag(tag);
    return { key, plaintext: Buffer.concat([decipher.update(sealed), decipher.final()]) };
  } catch {
    throw new ServiceError('InvalidCiphertextException', '');
  }
}

/** Sorted, because the order of a context's entries does not matter. */
const bytesOf = (context: EncryptionContext) =>
  Buffer.from(JSON.stringify(Object.entries(context).toSorted(([a], [b]) => (a < b ? -1 : 1))));
