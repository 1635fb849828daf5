import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { StoredOutput } from './job.ts';
import { looksLikeMp4 } from './mp4-structure.ts';

/** A clip of 15 s in 4K is below 100 MiB at every known provider. */
const LARGEST_RESULT = 1024 ** 3;
const SIGNED_URL_SECONDS = 300;
/** Enough for `ftyp` and the box after it. */
const HEAD_BYTES = 64;

/** What a provider called a result is not an MP4, or is more than we take. */
export class UnusableResult extends Error {
  override readonly name = 'UnusableResult';
}

export class ResultStore {
  readonly #client: S3Client;
  readonly #bucket: string;

  constructor(client: S3Client, bucket: string) {
    this.#client = client;
    this.#bucket = bucket;
  }

  /**
   * Streams a result into the bucket, in constant memory. Under one key a job and output, so that a
   * second copy after a crash overwrites the first.
   * @throws UnusableResult when the bytes cannot be a video.
   */
  async save(key: string, body: AsyncIterable<Uint8Array>): Promise<StoredOutput> {
    const checked = new CheckedResult(body);
    const upload = new Upload({
      client: this.#client,
      params: { Bucket: this.#bucket, Key: key, Body: Readable.from(checked), ContentType: 'video/mp4' },
      queueSize: 2,
    });
    await upload.done();
    return { key, ...checked.summary() };
  }

  /** Valid for five minutes, without a credential; answers ranges. */
  signedUrl(key: string): Promise<string> {
    const command = new GetObjectCommand({
      Bucket: this.#bucket,
      Key: key,
      ResponseContentType: 'video/mp4',
    });
    return getSignedUrl(this.#client, command, { expiresIn: SIGNED_URL_SECONDS });
  }
}

/** Passes a body through and judges it on the way: its head, its length, its digest. */
class CheckedResult implements AsyncIterable<Uint8Array> {
  readonly #body: AsyncIterable<Uint8Array>;
  readonly #hash = createHash('sha256');
  #size = 0;

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#body = body;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    let head = Buffer.alloc(0);
    for await (const chunk of this.#body) {
      if (head.length < HEAD_BYTES) {
        head = Buffer.concat([head, chunk]);
        if (head.length < HEAD_BYTES) continue;
        if (!looksLikeMp4(head))
          throw new UnusableResult('The provider returned something that is not an MP4');
        yield this.#count(head);
      } else yield this.#count(chunk);
    }
    if (head.length < HEAD_BYTES)
      throw new UnusableResult('The provider returned an empty or truncated video');
  }

  #count(chunk: Uint8Array): Uint8Array {
    this.#size += chunk.byteLength;
    if (this.#size > LARGEST_RESULT)
      throw new UnusableResult('The provider returned a video of more than 1 GiB');
    this.#hash.update(chunk);
    return chunk;
  }

  summary(): { size_bytes: number; sha256: string } {
    return { size_bytes: this.#size, sha256: this.#hash.digest('hex') };
  }
}
