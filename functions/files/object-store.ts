import { ObjectRequests } from '../aws/object-upload/object-requests.ts';
import { ObjectUploads, type PartSizes, type WrittenObject } from '../aws/object-upload/object-upload.ts';
import type { AwsRole } from '../aws/own-role.ts';
import type { ByteSink } from '../byte-streams.ts';
import { LARGEST_LAMBDA_FILE } from './size-limits.ts';

const REMOVAL_MILLISECONDS = 25_000;

const MEBIBYTE = 1024 ** 2;

/**
 * A file that may come through a Lambda is one PUT. The upload of a larger one begins while its first part fills, and
 * that is the smallest that S3 takes: so its first byte is in S3 early.
 */
const PARTS: PartSizes = {
  putBytes: LARGEST_LAMBDA_FILE,
  firstPartBytes: 5 * MEBIBYTE,
  partBytes: 8 * MEBIBYTE,
};

/** The bytes of files. */
export class ObjectStore {
  readonly #bucket: string;
  readonly #requests: ObjectRequests;
  readonly #uploads: ObjectUploads;

  constructor(role: AwsRole, bucket: string) {
    this.#bucket = bucket;
    this.#requests = new ObjectRequests(role);
    this.#uploads = new ObjectUploads(this.#requests, PARTS);
  }

  /** Begins an object. Nothing is left of it unless it is ended. */
  put(key: string): ByteSink<WrittenObject> {
    return this.#uploads.begin({ bucket: this.#bucket, key, contentType: 'application/octet-stream' });
  }

  async remove(key: string): Promise<void> {
    const object = { method: 'DELETE', bucket: this.#bucket, key } as const;
    await this.#requests.send(object, AbortSignal.timeout(REMOVAL_MILLISECONDS));
  }
}
