import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import { JsonService, operation, ServiceError } from '../service.ts';

const MOST_BYTES = 4096;

type KeyUse = 'ENCRYPT_DECRYPT' | 'GENERATE_VERIFY_MAC';

interface Key {
  readonly id: string;
  readonly use: KeyUse;
  /** The secret bytes, which never leave KMS. */
  readonly material: Buffer;
}

interface Sealed {
  readonly key: Key;
  readonly context: string;
  readonly plaintext: Buffer;
}

/** Bytes travel as base64. */
const bytes = v.pipe(
  v.string(),
  v.transform((base64) => Buffer.from(base64, 'base64')),
);
const base64 = (content: Buffer) => content.toString('base64');

const KeyId = v.string();
const EncryptionContext = v.optional(v.record(v.string(), v.string()), {});
/** Decryption needs the same context as encryption. */
type Context = v.InferOutput<typeof EncryptionContext>;

const createSchema = v.strictObject({
  KeySpec: v.optional(v.picklist(['SYMMETRIC_DEFAULT', 'HMAC_256']), 'SYMMETRIC_DEFAULT'),
  KeyUsage: v.optional(v.picklist(['ENCRYPT_DECRYPT', 'GENERATE_VERIFY_MAC']), 'ENCRYPT_DECRYPT'),
});
const encryptSchema = v.strictObject({ KeyId, Plaintext: bytes, EncryptionContext });
const decryptSchema = v.strictObject({ KeyId: v.optional(KeyId), CiphertextBlob: bytes, EncryptionContext });
const dataKeySchema = v.strictObject({ KeyId, EncryptionContext, KeySpec: v.literal('AES_256') });
const macSchema = v.strictObject({ KeyId, Message: bytes, MacAlgorithm: v.literal('HMAC_SHA_256') });

/** The part of KMS that Genway uses, in memory: symmetric and HMAC keys. The same seed gives the same keys. */
export class KmsEngine {
  readonly service: JsonService;
  readonly #keys = new Map<string, Key>();
  readonly #seed: string;
  /** What was encrypted, by its ciphertext, from which nothing else can be read. */
  readonly #sealed = new Map<string, Sealed>();

  constructor(seed: number) {
    this.#seed = `kms ${seed}`;
    this.service = new JsonService('kms', {
      CreateKey: operation(createSchema, ({ KeyUsage }) => {
        const id = this.createKey(KeyUsage);
        return { KeyMetadata: { KeyId: id } };
      }),
      Encrypt: operation(encryptSchema, ({ KeyId, Plaintext, EncryptionContext }) => {
        assertLength('plaintext', Plaintext);
        return { CiphertextBlob: base64(this.#encrypt(KeyId, EncryptionContext, Plaintext)) };
      }),
      Decrypt: operation(decryptSchema, ({ KeyId, CiphertextBlob, EncryptionContext }) => {
        const { key, plaintext } = this.#decrypt(EncryptionContext, CiphertextBlob);
        if (KeyId !== undefined && this.#keyFor('ENCRYPT_DECRYPT', KeyId) !== key) {
          throw new ServiceError('IncorrectKeyException', 'The key ID in the request does not match.');
        }
        return { Plaintext: base64(plaintext) };
      }),
      GenerateDataKey: operation(dataKeySchema, ({ KeyId, EncryptionContext }) => {
        const secret = hmac(`data key ${this.#sealed.size}`, KeyId);
        const CiphertextBlob = base64(this.#encrypt(KeyId, EncryptionContext, secret));
        return { Plaintext: base64(secret), CiphertextBlob };
      }),
      GenerateMac: operation(macSchema, ({ KeyId, Message }) => {
        assertLength('message', Message);
        const { material } = this.#keyFor('GENERATE_VERIFY_MAC', KeyId);
        return { Mac: base64(hmac(material, Message)) };
      }),
    });
  }

  /** @returns the key's id */
  createKey(use: KeyUse, name = `${this.#keys.size + 1}`): string {
    const material = hmac(this.#seed, name);
    const id = material.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
    this.#keys.set(id, { id, use, material });
    return id;
  }

  /** @throws ServiceError */
  #keyFor(use: KeyUse, id: string): Key {
    const key = this.#keys.get(id);
    if (key === undefined) {
      throw new ServiceError('NotFoundException', `Key '${id}' does not exist`);
    }
    if (key.use === use) return key;
    throw new ServiceError('InvalidKeyUsageException', `${id} key usage is ${key.use}.`);
  }

  #encrypt(keyId: string, context: Context, plaintext: Buffer): Buffer {
    const key = this.#keyFor('ENCRYPT_DECRYPT', keyId);
    const ciphertext = hmac(key.material, String(this.#sealed.size));
    this.#sealed.set(base64(ciphertext), { key, context: textOf(context), plaintext });
    return ciphertext;
  }

  /** @throws ServiceError if it is no ciphertext of these keys, was changed, or has another context */
  #decrypt(context: Context, ciphertext: Buffer): Sealed {
    const sealed = this.#sealed.get(base64(ciphertext));
    if (sealed?.context === textOf(context)) return sealed;
    throw new ServiceError('InvalidCiphertextException', '');
  }
}

const hmac = (key: string | Buffer, message: string | Buffer) =>
  createHmac('sha256', key).update(message).digest();

/** Sorted, because the order of a context's entries does not matter. */
const textOf = (context: Context) =>
  JSON.stringify(Object.entries(context).toSorted(([a], [b]) => (a < b ? -1 : 1)));

function assertLength(name: string, { length }: Buffer): void {
  if (length >= 1 && length <= MOST_BYTES) return;
  throw new ServiceError('ValidationException', `The ${name} has ${length} bytes, not 1 to ${MOST_BYTES}`);
}
