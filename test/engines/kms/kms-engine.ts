import { createHmac, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import { JsonService, operation } from '../json-service.ts';
import { ServiceError } from '../service.ts';
import { arnOf, Keys } from './keys.ts';
import { decrypt, encrypt } from './sealing.ts';

const MOST_BYTES = 4096;

/** Bytes travel as base64. */
const bytes = v.pipe(
  v.string(),
  v.transform((base64) => Buffer.from(base64, 'base64')),
);
const base64 = (content: Buffer) => content.toString('base64');

const KeyId = v.string();
const EncryptionContext = v.optional(v.record(v.string(), v.string()), {});
const mac = { KeyId, Message: bytes, MacAlgorithm: v.literal('HMAC_SHA_256') };

const createSchema = v.strictObject({
  KeySpec: v.optional(v.picklist(['SYMMETRIC_DEFAULT', 'HMAC_256']), 'SYMMETRIC_DEFAULT'),
  KeyUsage: v.optional(v.picklist(['ENCRYPT_DECRYPT', 'GENERATE_VERIFY_MAC']), 'ENCRYPT_DECRYPT'),
  Description: v.optional(v.string()),
});
const dataKeySchema = v.strictObject({
  KeyId,
  EncryptionContext,
  KeySpec: v.optional(v.picklist(['AES_256', 'AES_128'])),
  NumberOfBytes: v.optional(v.number()),
});

/** The part of KMS that Genway uses, in memory: symmetric and HMAC keys. */
export class KmsEngine {
  readonly service: JsonService;
  readonly keys: Keys;
  /** A counter that makes all ciphertexts different. */
  #sealed = 0;

  constructor(seed: number) {
    this.keys = new Keys(seed);
    this.service = new JsonService('kms', { ...this.#sealing(), ...this.#macs() });
  }

  #sealing() {
    const encryptSchema = v.strictObject({ KeyId, Plaintext: bytes, EncryptionContext });
    const decryptSchema = v.strictObject({
      KeyId: v.optional(KeyId),
      CiphertextBlob: bytes,
      EncryptionContext,
    });
    return {
      CreateKey: operation(createSchema, ({ KeyUsage }) => {
        const key = this.keys.create(KeyUsage);
        return { KeyMetadata: { KeyId: key.id, Arn: arnOf(key), KeyUsage, Enabled: true } };
      }),
      Encrypt: operation(encryptSchema, (input) => {
        assertLength('plaintext', input.Plaintext);
        const { key, ciphertext } = this.#seal(input.KeyId, input.EncryptionContext, input.Plaintext);
        return {
          KeyId: arnOf(key),
          CiphertextBlob: base64(ciphertext),
          EncryptionAlgorithm: 'SYMMETRIC_DEFAULT',
        };
      }),
      Decrypt: operation(decryptSchema, ({ KeyId: wanted, CiphertextBlob, EncryptionContext }) => {
        const expected = wanted === undefined ? undefined : this.keys.findFor('ENCRYPT_DECRYPT', wanted);
        const { key, plaintext } = decrypt(this.keys, EncryptionContext, CiphertextBlob);
        if (expected !== undefined && expected.id !== key.id) {
          throw new ServiceError(
            'IncorrectKeyException',
            'The key ID in the request does not identify a CMK that can perform this operation.',
          );
        }
        return { KeyId: arnOf(key), Plaintext: base64(plaintext), EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' };
      }),
      GenerateDataKey: operation(dataKeySchema, ({ KeyId, EncryptionContext, KeySpec, NumberOfBytes }) => {
        const length = NumberOfBytes ?? (KeySpec === 'AES_128' ? 16 : 32);
        const secret = createHmac('sha512', `data key ${this.#sealed}`)
          .update(KeyId)
          .digest()
          .subarray(0, length);
        const { key, ciphertext } = this.#seal(KeyId, EncryptionContext, secret);
        return { KeyId: arnOf(key), Plaintext: base64(secret), CiphertextBlob: base64(ciphertext) };
      }),
    };
  }

  #seal(keyId: string, context: Record<string, string>, plaintext: Buffer) {
    const key = this.keys.findFor('ENCRYPT_DECRYPT', keyId);
    this.#sealed++;
    return { key, ciphertext: encrypt(key, context, String(this.#sealed), plaintext) };
  }

  #macs() {
    return {
      GenerateMac: operation(v.strictObject(mac), (input) => {
        const { key, digest } = this.#mac(input);
        return { KeyId: arnOf(key), Mac: base64(digest), MacAlgorithm: input.MacAlgorithm };
      }),
      VerifyMac: operation(v.strictObject({ ...mac, Mac: bytes }), (input) => {
        const { key, digest } = this.#mac(input);
        if (digest.length !== input.Mac.length || !timingSafeEqual(digest, input.Mac)) {
          throw new ServiceError('KMSInvalidMacException', 'The HMAC is invalid.');
        }
        return { KeyId: arnOf(key), MacValid: true, MacAlgorithm: input.MacAlgorithm };
      }),
    };
  }

  #mac({ KeyId, Message }: { readonly KeyId: string; readonly Message: Buffer }) {
    assertLength('message', Message);
    const key = this.keys.findFor('GENERATE_VERIFY_MAC', KeyId);
    return { key, digest: createHmac('sha256', key.material).update(Message).digest() };
  }
}

function assertLength(name: string, { length }: Buffer): void {
  if (length >= 1 && length <= MOST_BYTES) return;
  throw new ServiceError(
    'ValidationException',
    `1 validation error detected: Value at '${name}' failed to satisfy constraint: Member must have length ${length === 0 ? 'greater than or equal to 1' : `less than or equal to ${MOST_BYTES}`}`,
  );
}
