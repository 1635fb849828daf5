import type { WrittenObject } from '../../aws/object-upload/object-upload.ts';
import type { ByteSink } from '../../byte-streams.ts';
import { InvalidRequest, invalidKey, PayloadTooLarge } from '../../http/errors.ts';
import type { KeyStore } from '../../keys/key-store.ts';
import type { Log } from '../../telemetry/log.ts';
import { foreignWorkspace } from '../../workspaces/find-workspace.ts';
import type { WorkspaceStore } from '../../workspaces/workspace-store.ts';
import { checkedFilename, objectKey, type StoredFile } from '../file.ts';
import type { FileStore, WriteConditions } from '../file-store.ts';
import type { ObjectStore } from '../object-store.ts';
import { LARGEST_FILE, tooLarge } from '../size-limits.ts';
import { createTypeDetector, UnsupportedFileType } from '../type-detection/type-detector.ts';
import { type IncomingForm, readUploadForm } from './upload-form.ts';

interface UploadRequest extends IncomingForm {
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

export interface Verdict {
  readonly size_bytes: number;
  readonly mime_type: string;
}

/** Looks at a file on its way to storage; counts its bytes and finds its type from every one of them. */
export class InspectedFile {
  readonly #limit: number;
  readonly #detector = createTypeDetector();
  #size = 0;

  constructor(limit = LARGEST_FILE) {
    this.#limit = limit;
  }

  /** @throws PayloadTooLarge */
  write(chunk: Uint8Array): void {
    this.#size += chunk.length;
    if (this.#size > this.#limit) throw new PayloadTooLarge(tooLarge(this.#limit));
    this.#detector.write(chunk);
  }

  /**
   * Once the whole file has passed.
   * @throws InvalidRequest for an empty file or a type that is not accepted.
   */
  async verdict(): Promise<Verdict> {
    if (this.#size === 0) throw new InvalidRequest('The file is empty', { metadata: { path: 'file' } });
    try {
      return { size_bytes: this.#size, mime_type: (await this.#detector.end()).mimeType };
    } catch (error) {
      if (!(error instanceof UnsupportedFileType)) throw error;
      throw new InvalidRequest(error.message, {
        metadata: { path: 'file', supported: error.accepted, found: error.found },
        cause: error,
      });
    }
  }
}

interface CallerStores {
  readonly keys: Pick<KeyStore, 'keepAlive'>;
  readonly workspaces: Pick<WorkspaceStore, 'keepAlive'>;
}

/** The caller's key still lives and the workspace still stands, whatever this function remembers of them. */
export const callerConditions = (
  { keyHash, workspaceId }: { readonly keyHash: string; readonly workspaceId: string },
  { keys, workspaces }: CallerStores,
  now: Date,
): WriteConditions => ({
  key: { check: keys.keepAlive(keyHash, now), refusal: invalidKey },
  workspace: { check: workspaces.keepAlive(workspaceId), refusal: foreignWorkspace },
});
