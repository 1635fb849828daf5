import { createHash } from 'node:crypto';
import { ObjectRequests } from '../../aws/object-upload/object-requests.ts';
import { ObjectUploads } from '../../aws/object-upload/object-upload.ts';
import type { AwsRole } from '../../aws/own-role.ts';
import { pour } from '../../byte-streams.ts';
import { defined } from '../../defined.ts';
import type { StoredOutput } from '../jobs/job.ts';
import { Mp4StreamCheck, Mp4StructureError } from './mp4-structure.ts';
import { UnusableResult } from './open-result.ts';

/** A clip of 15 s in 4K is below 100 MiB at every known provider. */
const LARGEST_RESULT = 1024 ** 3;

const REMOVAL_MILLISECONDS = 25_000;

export class ResultStore {
  readonly #bucket: string;
  readonly #requests: ObjectRequests;
  readonly #uploads: ObjectUploads;

  constructor(role: AwsRole, bucket: string) {
    this.#bucket = bucket;
    this.#requests = new ObjectRequests(role);
    this.#uploads = new ObjectUploads(this.#requests);
  }

  /**
   * Streams a result into the bucket, in constant memory.
   * @throws UnusableResult when the bytes cannot be a video.
   */
  async save(key: string, body: AsyncIterable<Uint8Array>): Promise<StoredOutput> {
    const checked = new CheckedResult(body);
    await pour(checked, this.#uploads.begin({ bucket: this.#bucket, key, contentType: 'video/mp4' }));
    return { key, ...checked.summary() };
  }

  async remove(key: string): Promise<void> {
    const object = { method: 'DELETE', bucket: this.#bucket, key } as const;
    await this.#requests.send(object, AbortSignal.timeout(REMOVAL_MILLISECONDS));
  }
}

/** Passes a body on, and checks it on the way: its structure, its length, its digest. */
class CheckedResult implements AsyncIterable<Uint8Array> {
  readonly #body: AsyncIterable<Uint8Array>;
  readonly #structure = new Mp4StreamCheck();
  readonly #hash = createHash('sha256');
  #size = 0;

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#body = body;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.#body) {
      this.#size += chunk.byteLength;
      if (this.#size > LARGEST_RESULT) {
        throw new UnusableResult('The provider returned a video of more than 1 GiB');
      }
      this.#judge(() => this.#structure.push(chunk));
      this.#hash.update(chunk);
      yield chunk;
    }
    this.#judge(() => this.#structure.end());
  }

  #judge(check: () => void): void {
    try {
      check();
    } catch (cause) {
      if (!(cause instanceof Mp4StructureError)) throw cause;
      throw new UnusableResult('The provider returned something that is not a complete MP4 video', {
        cause,
      });
    }
  }

  summary(): Omit<StoredOutput, 'key'> {
    const { width, height, durationSeconds } = this.#structure.describe();
    const duration_seconds = durationSeconds && Math.round(durationSeconds * 1000) / 1000;
    return {
      size_bytes: this.#size,
      sha256: this.#hash.digest('hex'),
      ...defined({ width, height, duration_seconds }),
    };
  }
}
