import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { AwsRole } from '../../aws/own-role.ts';
import { signDownload } from '../../aws/sign-download.ts';

export interface InputObject {
  readonly bucket: string;
  readonly key: string;
}

/** As long as a queue of a provider may take before it fetches; a signature does not outlive our role's session. */
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
}

export async function inputLink(
  role: AwsRole,
  { bucket, key }: InputObject,
  mediaType: string,
  now: Date,
): Promise<string> {
  const { url } = await signDownload(role, { bucket, key, contentType: mediaType }, now, LINK_SECONDS);
  return url;
}
