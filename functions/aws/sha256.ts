import { createHash, createHmac, createSecretKey, type Hash, type Hmac } from 'node:crypto';

/**
 * SHA-256 for signatures: with a secret it is the HMAC. The SDK's own gives Node.js its key as bytes. Node.js 24 throws
 * and catches two errors before it takes bytes for a key, which costs some percent of a request. It takes a `KeyObject` at
 * once.
 */
export class Sha256 {
  readonly #secret: Parameters<typeof createHmac>[1] | undefined;
  #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#secret = secret === undefined || typeof secret === 'string' ? secret : keyOf(secret);
    this.#hash = this.#begin();
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    this.#hash = this.#begin();
  }

  #begin(): Hash | Hmac {
    return this.#secret === undefined ? createHash('sha256') : createHmac('sha256', this.#secret);
  }
}

function keyOf(secret: ArrayBuffer | ArrayBufferView) {
  const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(secret) ? secret : new Uint8Array(secret);
  return createSecretKey(new Uint8Array(buffer, byteOffset, byteLength));
}
