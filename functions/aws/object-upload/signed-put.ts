import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { Sha256 } from '@smithy/core/checksum';
import { getEndpointFromInstructions } from '@smithy/core/endpoints';
import { extendedEncodeURIComponent } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import { isOverload } from '../overload.ts';
import type { Part } from './part.ts';
import { type Patience, type PutRequest, putBytes } from './put-bytes.ts';
import { S3Error } from './s3-error.ts';

export interface PutTarget {
  readonly Bucket: string;
  readonly Key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PutOptions {
  readonly patience: Patience;
  readonly random: () => number;
}

/** With their waits they fit into the time that API Gateway gives a request. */
const ATTEMPTS = 3;
const FIRST_WAIT_MILLISECONDS = 100;

/**
 * Sends parts of objects without the SDK, which copies and hashes every byte and takes three times the CPU. The SDK's
 * client still says where S3 is, and signs with which credentials.
 */
export class SignedPut {
  readonly #client: S3Client;
  readonly #options: PutOptions;
  readonly #signer: SignatureV4;

  constructor(client: S3Client, options: PutOptions) {
    const { region, credentials } = client.config;
    this.#client = client;
    this.#options = options;
    const signing = { service: 's3', region, credentials, sha256: Sha256 };
    this.#signer = new SignatureV4({ ...signing, applyChecksum: false, uriEscapePath: false });
  }

  /**
   * Tries again, with growing, jittered waits, where S3 was busy or the connection broke: a PUT may be repeated.
   * @returns the ETag
   * @throws S3Error, or what broke the last connection
   */
  async send(target: PutTarget, part: Part, signal: AbortSignal): Promise<string> {
    const { patience, random } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        // Signed anew for each attempt: credentials may have been renewed, and a signature is valid for minutes only.
        const answer = await putBytes(await this.#sign(target, part), patience, signal);
        if (answer.status === 200 && answer.etag !== undefined) return answer.etag;
        throw new S3Error(answer);
      } catch (error) {
        if (attempt === ATTEMPTS || !isOverload(error)) throw error;
        await wait(FIRST_WAIT_MILLISECONDS * 2 ** attempt * random(), undefined, { signal });
      }
    }
  }

  async #sign({ Bucket, Key, query = {}, headers = {} }: PutTarget, part: Part): Promise<PutRequest> {
    const object = { Bucket, Key };
    const endpoint = await getEndpointFromInstructions(object, PutObjectCommand, this.#client.config);
    const url = new URL(endpoint.url);
    const path = Key.split('/').map(extendedEncodeURIComponent).join('/');
    url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`;
    url.search = new URLSearchParams(query).toString();
    const { chunks, length } = part;
    const signed = await this.#signer.sign({
      method: 'PUT',
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: { ...query },
      headers: {
        ...headers,
        host: url.host,
        'content-length': String(length),
        'x-amz-checksum-crc32': part.checksum,
        'x-amz-content-sha256': isUnseen(url) ? 'UNSIGNED-PAYLOAD' : sha256(chunks),
      },
    });
    return { url, headers: signed.headers, chunks };
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
