import { DeleteObjectsCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import type { Holding } from './remove-workspace.ts';

/** Objects of a bucket whose prefix names a workspace. */
export class StoredObjects implements Holding {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefixesOf: (workspaceId: string) => readonly string[];

  constructor(client: S3Client, bucket: string, prefixesOf: (workspaceId: string) => readonly string[]) {
    this.#client = client;
    this.#bucket = bucket;
    this.#prefixesOf = prefixesOf;
  }

  async *removeAll(workspaceId: string): AsyncGenerator<void> {
    for (const prefix of this.#prefixesOf(workspaceId)) while (await this.#removeSome(prefix)) yield;
  }

  /**
   * Up to 1,000 objects.
   * @returns false when there were none
   */
  async #removeSome(Prefix: string): Promise<boolean> {
    const page = await this.#client.send(new ListObjectsV2Command({ Bucket: this.#bucket, Prefix }));
    const Objects = (page.Contents ?? []).flatMap(({ Key }) => (Key === undefined ? [] : [{ Key }]));
    if (Objects.length === 0) return false;
    const Delete = { Objects, Quiet: true };
    const { Errors = [] } = await this.#client.send(
      new DeleteObjectsCommand({ Bucket: this.#bucket, Delete }),
    );
    if (Errors.length > 0) {
      throw new Error(
        `Of the objects below ${Prefix}, ${Errors.length} could not be deleted: ${Errors[0]?.Code}`,
      );
    }
    return true;
  }
}
