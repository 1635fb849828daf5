import { createHash, createHmac, createSecretKey, type Hash, type Hmac } from 'node:crypto';
import type { constructStack } from '@smithy/core/client';
import { HttpRequest } from '@smithy/core/protocols';
import * as v from 'valibot';
import { setting } from '../environment.ts';

/** A connection within a region takes a few milliseconds. */
const CONNECT_MILLISECONDS = 1_000;

/** An emulator shares the cores of its machine with all who call it. */
const patienceSchema = v.optional(v.pipe(v.string(), v.transform(Number), v.minValue(1)), '1');

/**
 * How long a client waits for AWS: for a connection, for an answer to begin, and for each next piece of it. Without
 * limits one stalled connection would hold a request, or a whole batch of messages, until its function is ended. The
 * client tries again within these limits, which is safe: all our writes may be repeated.
 */
export function answeringWithin(milliseconds: number) {
  const patience = setting('awsPatience', patienceSchema);
  return {
    connectionTimeout: CONNECT_MILLISECONDS * patience,
    requestTimeout: milliseconds * patience,
    socketTimeout: milliseconds * patience,
    throwOnRequestTimeout: true,
  };
}

/** An account's trail shows it beside each call. */
const USER_AGENT = `Genway node/${process.versions.node}`;

interface HasStack<Input extends object, Output extends object> {
  readonly middlewareStack: ReturnType<typeof constructStack<Input, Output>>;
}

/**
 * A client of the SDK without two parts that each take some percent of a request: its logger copies each input and output
 * to censor it, even where nobody logs them; and its user agent is composed anew for each call.
 */
export function lean<C, Input extends object, Output extends object>(client: C & HasStack<Input, Output>): C {
  client.middlewareStack.remove('loggerMiddleware');
  client.middlewareStack.add(
    (next) => (args) => {
      if (HttpRequest.isInstance(args.request)) args.request.headers['user-agent'] = USER_AGENT;
      return next(args);
    },
    { name: 'getUserAgentMiddleware', step: 'build', priority: 'low', override: true },
  );
  return client;
}

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
