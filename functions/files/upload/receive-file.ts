import type { WrittenObject } from '../../aws/object-upload/object-upload.ts';
import type { ByteSink } from '../../byte-sink.ts';
import type { Log } from '../../log.ts';
import { objectKey, type StoredFile } from '../file.ts';
import type { FileStore, WriteConditions } from '../file-store.ts';
import type { ObjectStore } from '../object-store.ts';
import { checkedFilename } from './filename.ts';
import { InspectedFile, type Verdict } from './inspected-file.ts';
import { type IncomingForm, readUploadForm } from './upload-form.ts';

export interface UploadRequest extends IncomingForm {
  readonly workspaceId: string;
  /** What must hold when the file's row is written: an upload may take minutes. */
  readonly conditions: () => WriteConditions;
  readonly log: Log;
}

export interface UploadPorts {
  readonly files: Pick<FileStore, 'create'>;
  readonly objects: Pick<ObjectStore, 'put' | 'remove'>;
  /** What a workspace may hold in all. */
  readonly quotaBytes: number;
  readonly newFileId: () => string;
  readonly now: () => Date;
}

/**
 * One pipeline for every transport: form, limits, type, object, row. The row is written last, so what
 * has one is complete; whatever fails before leaves neither object nor row.
 * @throws InvalidRequest, PayloadTooLarge, StorageFull
 */
export async function receiveFile(request: UploadRequest, ports: UploadPorts): Promise<StoredFile> {
  const id = ports.newFileId();
  const key = objectKey(request.workspaceId, id);
  let objectBegun = false;
  try {
    const form = await readUploadForm(request, () => {
      objectBegun = true;
      return new InspectedObject(key, ports, request.log);
    });
    const now = ports.now();
    const file: StoredFile = {
      id,
      workspace_id: request.workspaceId,
      filename: checkedFilename(form.filename),
      ...form.file,
      ...(form.sha256 === undefined ? {} : { sha256: form.sha256 }),
      purpose: form.purpose,
      created_at: now.toISOString(),
      ...(form.expiresInSeconds === undefined ? {} : { expires_at: after(now, form.expiresInSeconds) }),
    };
    await ports.files.create(file, ports.quotaBytes, request.conditions());
    return file;
  } catch (error) {
    if (objectBegun) await tidyUp(key, () => ports.objects.remove(key), request.log);
    throw error;
  }
}

const after = (now: Date, seconds: number): string => new Date(now.getTime() + seconds * 1000).toISOString();

/** Inspects a file on its way into storage. It becomes an object only if its size and type are accepted. */
class InspectedObject implements ByteSink<Verdict & WrittenObject> {
  readonly #inspected = new InspectedFile();
  readonly #key: string;
  readonly #object: ByteSink<WrittenObject>;
  readonly #log: Log;

  constructor(key: string, { objects }: UploadPorts, log: Log) {
    this.#key = key;
    this.#object = objects.put(key);
    this.#log = log;
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    this.#inspected.write(bytes);
    return this.#object.write(bytes);
  }

  async end(): Promise<Verdict & WrittenObject> {
    const verdict = await this.#inspected.verdict();
    return { ...verdict, ...(await this.#object.end()) };
  }

  async abort(reason: unknown): Promise<void> {
    await tidyUp(this.#key, () => this.#object.abort(reason), this.#log);
  }
}

/** Never throws, because the caller must hear why the upload failed, and not why its remains could not be removed. */
async function tidyUp(key: string, removal: () => Promise<void>, log: Log): Promise<void> {
  try {
    await removal();
  } catch (error) {
    log.error('the object of a failed upload may remain', { key, error });
  }
}
