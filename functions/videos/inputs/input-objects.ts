import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';

export interface InputObject {
  readonly bucket: string;
  readonly key: string;
}

/** The bytes of inputs, and of the pictures of results, in our own buckets. */
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
