import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  NoSuchUpload,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { ByteSink } from '../../byte-sink.ts';
import { Part } from './part.ts';
import { type PutOptions, SignedPut } from './signed-put.ts';

export interface NewObject {
  readonly Bucket: string;
  readonly Key: string;
  readonly ContentType: string;
}

/** Until something of an object is sent, all of it is here; then this many parts at most, and a chunk. */
const MOST_IN_FLIGHT = 2;
/** For S3 to begin, complete or give up an upload. The client's own limits end before an answer has begun. */
const EXCHANGE_MILLISECONDS = 120_000;

export interface ObjectUploadOptions extends PutOptions {
  /** Of every part but the last S3 asks 5 MiB. */
  readonly partBytes: number;
}

const DEFAULTS: ObjectUploadOptions = {
  partBytes: 8 * 1024 ** 2,
  patience: { connectMilliseconds: 1_000, silenceMilliseconds: 8_000 },
  random: Math.random,
};

/** Objects that are written as their bytes come in, in bounded memory. */
export class ObjectUploads {
  readonly #client: S3Client;
  readonly #put: SignedPut;
  readonly #partBytes: number;

  constructor(client: S3Client, options: Partial<ObjectUploadOptions> = {}) {
    const { partBytes, ...putOptions } = { ...DEFAULTS, ...options };
    this.#client = client;
    this.#put = new SignedPut(client, putOptions);
    this.#partBytes = partBytes;
  }

  /** There is an object when `end` has settled well. */
  begin(object: NewObject): ByteSink<void> {
    return new ObjectUpload(this.#client, this.#put, object, this.#partBytes);
  }
}

/**
 * One object: a single PUT where one part holds it all, else a multipart upload. S3 checks the CRC-32 of each part
 * as it arrives, and at the end the parts' and the length of the whole.
 */
class ObjectUpload implements ByteSink<void> {
  readonly #client: S3Client;
  readonly #put: SignedPut;
  readonly #object: NewObject;
  readonly #stop = new AbortController();
  readonly #inFlight = new Set<Promise<void>>();
  readonly #completed: CompletedPart[] = [];
  readonly #partBytes: number;
  #filling: Part;
  #parts = 0;
  #length = 0;
  #uploadId: Promise<string> | undefined;
  #failure: { readonly cause: unknown } | undefined;

  constructor(client: S3Client, put: SignedPut, object: NewObject, partBytes: number) {
    this.#client = client;
    this.#put = put;
    this.#object = object;
    this.#partBytes = partBytes;
    this.#filling = new Part(partBytes);
  }

  /** @throws what a part before has failed with */
  write(bytes: Uint8Array): Promise<void> | undefined {
    this.#throwFailure();
    this.#length += bytes.length;
    for (let rest = bytes; rest.length > 0; rest = this.#filling.take(rest)) {
      if (this.#filling.isFull) this.#sendPart();
    }
    return this.#inFlight.size < MOST_IN_FLIGHT ? undefined : this.#room();
  }

  async end(): Promise<void> {
    this.#throwFailure();
    if (this.#parts === 0) {
      const { ContentType, ...place } = this.#object;
      const target = { ...place, headers: { 'content-type': ContentType } };
      await this.#put.send(target, this.#filling, this.#stop.signal);
      return;
    }
    this.#sendPart();
    await Promise.all(this.#inFlight);
    this.#throwFailure();
    await this.#complete();
  }

  async abort(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#inFlight);
    const UploadId = await this.#uploadId?.catch(() => undefined);
    if (UploadId === undefined) return;
    const { Bucket, Key } = this.#object;
    const command = new AbortMultipartUploadCommand({ Bucket, Key, UploadId });
    await this.#client.send(command, patience()).catch((error: unknown) => {
      // It was completed, and only the answer was lost.
      if (!(error instanceof NoSuchUpload)) throw error;
    });
  }

  async #room(): Promise<void> {
    while (this.#inFlight.size >= MOST_IN_FLIGHT) await Promise.race(this.#inFlight);
  }

  #sendPart(): void {
    const part = this.#filling;
    this.#filling = new Part(this.#partBytes);
    const sent = this.#uploadPart(part, ++this.#parts)
      .catch((cause: unknown) => {
        this.#failure ??= { cause };
        this.#stop.abort();
      })
      .finally(() => this.#inFlight.delete(sent));
    this.#inFlight.add(sent);
  }

  async #uploadPart(part: Part, number: number): Promise<void> {
    this.#uploadId ??= this.#create();
    const { Bucket, Key } = this.#object;
    const query = { partNumber: String(number), uploadId: await this.#uploadId };
    const ETag = await this.#put.send({ Bucket, Key, query }, part, this.#stop.signal);
    this.#completed[number - 1] = { PartNumber: number, ETag, ChecksumCRC32: part.checksum };
  }

  /** Not even `abort` cuts this short: without the id nobody could give the upload up. */
  async #create(): Promise<string> {
    const checksum = { ChecksumAlgorithm: 'CRC32', ChecksumType: 'COMPOSITE' } as const;
    const command = new CreateMultipartUploadCommand({ ...this.#object, ...checksum });
    const { UploadId } = await this.#client.send(command, patience());
    if (UploadId === undefined) throw new Error('S3 began an upload without an id');
    return UploadId;
  }

  async #complete(): Promise<void> {
    const { Bucket, Key } = this.#object;
    const command = new CompleteMultipartUploadCommand({
      ...{ Bucket, Key, UploadId: await this.#uploadId },
      MultipartUpload: { Parts: this.#completed },
      MpuObjectSize: this.#length,
    });
    await this.#client.send(command, patience());
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.cause;
  }
}

const patience = () => ({ abortSignal: AbortSignal.timeout(EXCHANGE_MILLISECONDS) });
