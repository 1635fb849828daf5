import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  NoSuchUpload,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { Part } from './part.ts';
import type { SignedPut } from './signed-put.ts';

export interface NewObject {
  readonly Bucket: string;
  readonly Key: string;
  readonly ContentType: string;
}

/**
 * S3 may take longer to complete an upload of many parts than the client gives other requests. The whole has a limit
 * too.
 */
const patience = () => ({ requestTimeout: 20_000, abortSignal: AbortSignal.timeout(120_000) });

/**
 * The requests that make one object of parts. S3 checks the CRC-32 of each part as it arrives; at the end it checks
 * those of all parts and the length of the whole.
 */
export class MultipartUpload {
  readonly #client: S3Client;
  readonly #put: SignedPut;
  readonly #object: NewObject;
  readonly #completed: CompletedPart[] = [];
  #id: Promise<string> | undefined;
  #length = 0;

  constructor(client: S3Client, put: SignedPut, object: NewObject) {
    this.#client = client;
    this.#put = put;
    this.#object = object;
  }

  /** @param number from 1, in the order of the object */
  async send(part: Part, number: number, signal: AbortSignal): Promise<void> {
    this.#id ??= this.#create();
    const { Bucket, Key } = this.#object;
    const query = { partNumber: String(number), uploadId: await this.#id };
    const ETag = await this.#put.send({ Bucket, Key, query }, part, signal);
    this.#completed[number - 1] = { PartNumber: number, ETag, ChecksumCRC32: part.checksum };
    this.#length += part.length;
  }

  async complete(): Promise<void> {
    const { Bucket, Key } = this.#object;
    const command = new CompleteMultipartUploadCommand({
      ...{ Bucket, Key, UploadId: await this.#id },
      MultipartUpload: { Parts: this.#completed },
      MpuObjectSize: this.#length,
    });
    await this.#client.send(command, patience());
  }

  /** Called once no part is being sent any more: S3 would keep a part that arrives later. */
  async abort(): Promise<void> {
    const UploadId = await this.#id?.catch(() => undefined);
    if (UploadId === undefined) return;
    const { Bucket, Key } = this.#object;
    const command = new AbortMultipartUploadCommand({ Bucket, Key, UploadId });
    await this.#client.send(command, patience()).catch((error: unknown) => {
      // The upload was completed, and only the answer was lost.
      if (!(error instanceof NoSuchUpload)) throw error;
    });
  }

  /** Nothing cuts this short: without the id nobody could abort the upload. */
  async #create(): Promise<string> {
    const checksum = { ChecksumAlgorithm: 'CRC32', ChecksumType: 'COMPOSITE' } as const;
    const command = new CreateMultipartUploadCommand({ ...this.#object, ...checksum });
    const { UploadId } = await this.#client.send(command, patience());
    if (UploadId === undefined) throw new Error('S3 began an upload without an id');
    return UploadId;
  }
}
