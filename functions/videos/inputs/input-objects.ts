import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';

export interface InputObject {
  readonly bucket: string;
  readonly key: string;
}

/** Providers may queue a job this long before they fetch its inputs. A signature cannot outlive our role's session. */
const LINK_SECONDS = 2 * 3600;

/** The bytes of inputs that are in our own buckets. */
export class InputObjects {
  readonly #client: S3Client;

  constructor(client: S3Client) {
    this.#client = client;
  }

  async put({ bucket, key }: InputObject, bytes: Uint8Array, mediaType: string): Promise<void> {
    const object = { Bucket: bucket, Key: key, Body: bytes, ContentType: mediaType };
    await this.#client.send(new PutObjectCommand(object));
  }

  async remove({ bucket, key }: InputObject): Promise<void> {
    await this.#client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
  }

  async open({ bucket, key }: InputObject): Promise<AsyncIterable<Uint8Array>> {
    const { Body } = await this.#client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    return Body?.transformToWebStream() ?? new ReadableStream();
  }

  link({ bucket, key }: InputObject, mediaType: string, now: Date): Promise<string> {
    const object = { Bucket: bucket, Key: key, ResponseContentType: mediaType };
    const options = { expiresIn: LINK_SECONDS, signingDate: now };
    return getSignedUrl(this.#client, new GetObjectCommand(object), options);
  }
}
