import { DeleteObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { ObjectUploads, type WrittenObject } from '../aws/object-upload/object-upload.ts';
import type { ByteSink } from '../byte-sink.ts';

/** The bytes of files. */
export class ObjectStore {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #uploads: ObjectUploads;

  constructor(client: S3Client, bucket: string) {
    this.#client = client;
    this.#bucket = bucket;
    this.#uploads = new ObjectUploads(client);
  }

  /** Begins an object. Nothing is left of it unless it is ended. */
  put(key: string): ByteSink<WrittenObject> {
    return this.#uploads.begin({ Bucket: this.#bucket, Key: key, ContentType: 'application/octet-stream' });
  }

  async remove(key: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: key }));
  }
}
