import type { WriteConditions } from '../../aws/dynamo-writes.ts';
import type { WrittenObject } from '../../aws/object-upload/object-upload.ts';
import type { ByteSink } from '../../byte-streams.ts';
import { defined } from '../../defined.ts';
import { ApiError, InvalidRequest, invalidKey, PayloadTooLarge } from '../../http/errors.ts';
import type { KeyStore } from '../../keys/key-store.ts';
import type { Log } from '../../telemetry/log.ts';
import { foreignWorkspace } from '../../workspaces/find-workspace.ts';
import type { WorkspaceStore } from '../../workspaces/workspace-store.ts';
import { checkedFilename, objectKey, type StoredFile } from '../file.ts';
import type { FileStore } from '../file-store.ts';
import type { ObjectStore } from '../object-store.ts';
import { LARGEST_FILE, tooLarge } from '../size-limits.ts';
import { UnsupportedFileType } from '../type-detection/accepted-types.ts';
import { TypeDetector } from '../type-detection/type-detector.ts';
import { type IncomingForm, readUploadForm } from './upload-form.ts';

interface UploadRequest extends IncomingForm {
  readonly workspaceId: string;
  /** What must hold when the file's row is written: an upload may take minutes. */
  readonly conditions: () => WriteConditions;
  readonly log: Log;
}

export interface UploadPorts {
  readonly files: Pick<FileStore, 'announce' | 'create'>;
  readonly objects: Pick<ObjectStore, 'put' | 'remove'>;
  /** What a workspace may hold in all. */
  readonly quotaBytes: number;
  readonly newFileId: () => string;
  readonly now: () => Date;
}

/**
 * One pipeline for every transport: form, limits, type, object, row. The row is completed last, so a file that is seen
 * has its bytes.
 * @throws InvalidRequest, PayloadTooLarge, StorageFull
 */
export async function receiveFile(request: UploadRequest, ports: UploadPorts): Promise<StoredFile> {
  const id = ports.newFileId();
  const key = objectKey(request.workspaceId, id);
  const tidyUp = loggedTidyUp(key, request.log);
  const file = await storeObject(request, id, tidyUp, ports);
  try {
    await ports.files.create(file, ports.quotaBytes, request.conditions());
    return file;
  } catch (error) {
    // After any other error the row may be complete: the object stays, and the sweeper removes it if it is not.
    if (error instanceof ApiError) await tidyUp(ports.objects.remove(key));
    throw error;
  }
}

type TidyUp = (removal: Promise<void>) => Promise<void>;

/** The caller must hear why the upload failed, and not why its remains could not be removed. */
export const loggedTidyUp =
  (key: string, log: Log): TidyUp =>
  (removal) =>
    removal.catch((error: unknown) => log.error('the object of a failed upload may remain', { key, error }));

/** Stores the bytes. What fails leaves no object. */
function storeObject(
  request: UploadRequest,
  id: string,
  tidyUp: TidyUp,
  { files, objects, now }: UploadPorts,
): Promise<StoredFile> {
  const { workspaceId: workspace_id } = request;
  const object = {
    key: objectKey(workspace_id, id),
    announce: () => files.announce({ workspace_id, id }),
    tidyUp,
  };
  return storeAnnounced(object, objects, async (put) => {
    const form = await readUploadForm(request, () => new IncomingFile(put(), tidyUp));
    const created = now();
    return {
      id,
      workspace_id,
      filename: checkedFilename(form.filename),
      ...form.file,
      purpose: form.purpose,
      created_at: created.toISOString(),
      ...defined({ sha256: form.sha256, expires_at: expiryOf(form.expiresInSeconds, created) }),
    };
  });
}

interface AnnouncedObject {
  readonly key: string;
  /** Writes the row without which there must be no object. */
  readonly announce: () => Promise<void>;
  readonly tidyUp: TidyUp;
}

/** Lets `store` write an object that is announced before it exists. What fails leaves no object. */
export async function storeAnnounced<Stored>(
  { key, announce, tidyUp }: AnnouncedObject,
  objects: Pick<ObjectStore, 'put' | 'remove'>,
  store: (put: () => ByteSink<WrittenObject>) => Promise<Stored>,
): Promise<Stored> {
  let isAnnounced = false;
  const put = (): ByteSink<WrittenObject> => {
    const object = objects.put(key);
    const end = async () => {
      await announce();
      isAnnounced = true;
      return object.end();
    };
    return { write: (bytes) => object.write(bytes), end, abort: (reason) => object.abort(reason) };
  };
  try {
    return await store(put);
  } catch (error) {
    if (isAnnounced) await tidyUp(objects.remove(key));
    throw error;
  }
}

export const expiryOf = (seconds: number | undefined, now: Date): string | undefined =>
  seconds === undefined ? undefined : new Date(now.getTime() + seconds * 1000).toISOString();

type ReceivedFile = Pick<StoredFile, 'size_bytes' | 'mime_type'> & WrittenObject;

/**
 * A file on its way into storage: its bytes are counted, and its type is found from every one of them. It becomes an
 * object only if its size and type are accepted.
 */
export class IncomingFile implements ByteSink<ReceivedFile> {
  readonly #object: ByteSink<WrittenObject>;
  readonly #tidyUp: TidyUp;
  readonly #limit: number;
  readonly #detector = new TypeDetector();
  #size = 0;

  constructor(object: ByteSink<WrittenObject>, tidyUp: TidyUp, limit = LARGEST_FILE) {
    this.#object = object;
    this.#tidyUp = tidyUp;
    this.#limit = limit;
  }

  /** @throws PayloadTooLarge */
  write(bytes: Uint8Array): Promise<void> | undefined {
    this.#size += bytes.length;
    if (this.#size > this.#limit) throw new PayloadTooLarge(tooLarge(this.#limit));
    this.#detector.write(bytes);
    return this.#object.write(bytes);
  }

  /** @throws InvalidRequest for an empty file or a type that is not accepted */
  async end(): Promise<ReceivedFile> {
    if (this.#size === 0) throw new InvalidRequest('The file is empty', { metadata: { path: 'file' } });
    const mime_type = await this.#mimeType();
    return { size_bytes: this.#size, mime_type, ...(await this.#object.end()) };
  }

  async #mimeType(): Promise<string> {
    try {
      return (await this.#detector.end()).mimeType;
    } catch (error) {
      if (!(error instanceof UnsupportedFileType)) throw error;
      throw new InvalidRequest(error.message, {
        metadata: { path: 'file', supported: error.accepted, found: error.found },
        cause: error,
      });
    }
  }

  abort(reason: unknown): Promise<void> {
    return this.#tidyUp(this.#object.abort(reason));
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
