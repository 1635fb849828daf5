import { createHash } from 'node:crypto';
import { noSuchKey, noSuchUpload, preconditionFailed } from './errors.ts';

export interface StoredObject {
  readonly body: Buffer;
  readonly etag: string;
  readonly modifiedAt: Date;
  /** The headers that every reader gets, such as type and metadata. */
  readonly headers: Readonly<Record<string, string>>;
  /** The checksums from the writer, as headers. */
  readonly checksums: Readonly<Record<string, string>>;
}

export interface Part {
  readonly body: Buffer;
  readonly etag: string;
}

export interface Upload {
  readonly id: string;
  readonly key: string;
  readonly startedAt: Date;
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: Map<number, Part>;
}

export class Bucket {
  readonly name: string;
  readonly #objects = new Map<string, StoredObject>();
  readonly #uploads = new Map<string, Upload>();
  #begun = 0;

  constructor(name: string) {
    this.name = name;
  }

  find(key: string): StoredObject | undefined {
    return this.#objects.get(key);
  }

  /** All keys, ordered by their bytes. */
  keys(): string[] {
    return [...this.#objects.keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  }

  /** @throws ServiceError if a condition of the write does not hold */
  put(
    key: string,
    object: StoredObject,
    { 'if-match': match, 'if-none-match': noneMatch }: Readonly<Record<string, string>>,
  ): void {
    const { etag } = this.#objects.get(key) ?? {};
    if (match !== undefined && etag === undefined) throw noSuchKey();
    if (match !== undefined && match !== etag) throw preconditionFailed();
    if (noneMatch === '*' && etag !== undefined) throw preconditionFailed();
    this.#objects.set(key, object);
  }

  remove(key: string): void {
    this.#objects.delete(key);
  }

  begin(key: string, startedAt: Date, headers: Readonly<Record<string, string>>): Upload {
    this.#begun++;
    const id = createHash('md5').update(`${this.name} ${key} ${this.#begun}`).digest('hex');
    const upload = { id, key, startedAt, headers, parts: new Map() };
    this.#uploads.set(id, upload);
    return upload;
  }

  /** @throws ServiceError */
  upload(key: string, id: string): Upload {
    const upload = this.#uploads.get(id);
    if (upload?.key !== key) throw noSuchUpload();
    return upload;
  }

  uploads(): readonly Upload[] {
    return [...this.#uploads.values()];
  }

  end({ id }: Upload): void {
    this.#uploads.delete(id);
  }
}

export const etagOf = (body: Buffer): string => `"${createHash('md5').update(body).digest('hex')}"`;
