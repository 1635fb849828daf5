import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { SignatureV4 } from '@smithy/signature-v4';
import { answeringWithin, Sha256 } from '../client-settings.ts';
import type { AwsRole } from '../own-role.ts';
import { isOverload, retry } from '../retry.ts';
import { objectAddress } from '../signatures.ts';
import { exchange, type Patience, type S3Answer, type S3Request } from './exchange.ts';

/** What is asked of S3 about one object. */
export interface ObjectRequest {
  readonly method: 'PUT' | 'POST' | 'DELETE';
  readonly bucket: string;
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly chunks?: readonly Uint8Array[];
  /** Where S3 may take longer than it usually does. */
  readonly silenceMilliseconds?: number;
}

export interface RequestOptions {
  readonly patience: Patience;
  readonly random: () => number;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

/** With their waits they fit into the time that API Gateway gives a request. */
const ATTEMPTS = 3;
const FIRST_WAIT_MILLISECONDS = 200;

/** A part takes as long at 0.6 Mbit/s. */
const ATTEMPT_MILLISECONDS = 120_000;

function defaults(): RequestOptions {
  const { connectionTimeout, socketTimeout } = answeringWithin(8_000);
  const patience = {
    connectMilliseconds: connectionTimeout,
    silenceMilliseconds: socketTimeout,
    wholeMilliseconds: ATTEMPT_MILLISECONDS,
  };
  const pause: RequestOptions['pause'] = (milliseconds, signal) => wait(milliseconds, undefined, { signal });
  return { patience, random: Math.random, pause };
}

/**
 * Writes and removes objects without the SDK, whose client of S3 is most of a small function's code, and which copies
 * and hashes every byte for three times the CPU.
 */
export class ObjectRequests {
  readonly #role: AwsRole;
  readonly #options: RequestOptions;
  readonly #signer: SignatureV4;

  constructor(role: AwsRole, options: Partial<RequestOptions> = {}) {
    this.#role = role;
    this.#options = { ...defaults(), ...options };
    const { region, credentials } = role;
    const signing = { service: 's3', region, credentials, sha256: Sha256 };
    this.#signer = new SignatureV4({ ...signing, applyChecksum: false, uriEscapePath: false });
  }

  /**
   * Tries again, with growing, jittered waits, where S3 was busy or the connection broke: each of these requests may be
   * repeated.
   * @throws S3Error, or what broke the last connection
   */
  async send(request: ObjectRequest, signal: AbortSignal): Promise<S3Answer> {
    const { patience, random, pause } = this.#options;
    const { silenceMilliseconds = patience.silenceMilliseconds } = request;
    const ask = async () => {
      // Signed anew for each attempt: credentials may have been renewed, and a signature is valid for minutes only.
      const signed = await this.#sign(request);
      const answer = await exchange(signed, { ...patience, silenceMilliseconds }, signal);
      if (isRefusal(request.method, answer)) throw new S3Error(answer);
      return answer;
    };
    return retry(ask, {
      attempts: ATTEMPTS,
      passes: isOverload,
      pause: (failures) => pause(FIRST_WAIT_MILLISECONDS * 2 ** (failures - 1) * random(), signal),
    });
  }

  async #sign({ method, bucket, key, query, headers, chunks = [] }: ObjectRequest): Promise<S3Request> {
    const url = objectAddress(bucket, key, this.#role);
    url.search = new URLSearchParams(query).toString();
    const signed = await this.#signer.sign({
      method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: { ...query },
      headers: {
        ...headers,
        host: url.host,
        'content-length': String(chunks.reduce((sum, { length }) => sum + length, 0)),
        'x-amz-content-sha256': isUnseen(url) ? 'UNSIGNED-PAYLOAD' : sha256(chunks),
      },
    });
    return { method, url, headers: signed.headers, chunks };
  }
}

/** Where nobody between here and S3 could change the bytes, the signature need not cover them. */
const isUnseen = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);

function sha256(chunks: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

/**
 * S3's answers are flat, so that two tags find a text. The SDK's own parser of XML would add 3 kB, and belongs to a package
 * that it calls internal.
 */
const CODE = /<Code>([^<]*)<\/Code>/;
const MESSAGE = /<Message>([^<]*)<\/Message>/;

/** What S3 begins to answer before it is done may still end in an error, or in nothing. */
const isRefusal = (method: string, answer: S3Answer): boolean =>
  answer.status >= 300 || !isWhole(method, answer) || answer.text.includes('<Error>');

/** Whatever is stored has an ETag, and every POST a result: the id of an upload, or the completed object. */
function isWhole(method: string, { etag, text }: S3Answer): boolean {
  if (method === 'POST') return text.includes('MultipartUploadResult>');
  return method !== 'PUT' || etag !== undefined;
}

/** An error answer of S3, shaped like the SDK's errors, so that one rule recognises overloads of both. */
export class S3Error extends Error {
  override readonly name: string;
  readonly $metadata: { readonly httpStatusCode: number };

  constructor({ status, text }: Pick<S3Answer, 'status' | 'text'>) {
    super(MESSAGE.exec(text)?.[1] ?? `S3 returned ${status}`);
    this.name = CODE.exec(text)?.[1] ?? 'S3Error';
    // As the SDK has it, an error in an answer that began well is one that may pass.
    this.$metadata = { httpStatusCode: status < 300 ? 503 : status };
  }
}
