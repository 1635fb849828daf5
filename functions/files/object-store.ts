import type { Readable } from 'node:stream';
import { DeleteObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { SignedLink } from '../aws/sign-download.ts';
import { signDownload } from '../aws/sign-download.ts';

/** The bytes of files. */
export class ObjectStore {
  readonly #client: S3Client;
  readonly #bucket: string;

  constructor(client: S3Client, bucket: string) {
    this.#client = client;
    this.#bucket = bucket;
  }

  /** Streams in bounded memory: two parts at most. What fails half-way leaves no object. */
  async put(key: string, body: Readable): Promise<void> {
    const upload = new Upload({
      client: this.#client,
      params: { Bucket: this.#bucket, Key: key, Body: body, ContentType: 'application/octet-stream' },
      queueSize: 2,
    });
    await upload.done();
  }

  async remove(key: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: key }));
  }

  /** Always a download of plain bytes: a browser must never run what a caller uploaded. */
  signedLink(key: string, filename: string, now: Date): Promise<SignedLink> {
    const object = {
      Bucket: this.#bucket,
      Key: key,
      ResponseContentType: 'application/octet-stream',
      ResponseContentDisposition: `attachment; filename*=UTF-8''${encodeURIComponent(filename)}`,
    };
    return signDownload(this.#client, object, now);
  }
}
