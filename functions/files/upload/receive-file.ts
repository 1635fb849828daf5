import type { WrittenObject } from '../../aws/object-upload/object-upload.ts';
import type { ByteSink } from '../../byte-streams.ts';
import { defined } from '../../defined.ts';
import { ApiError, InvalidRequest, invalidKey, PayloadTooLarge } from '../../http/errors.ts';
import type { KeyStore } from '../../keys/key-store.ts';
import type { Log } from '../../telemetry/log.ts';
import { foreignWorkspace } from '../../workspaces/find-workspace.ts';
import type { WorkspaceStore } from '../../workspaces/workspace-store.ts';
import { checkedFilename, objectKey, type StoredFile } from '../file.ts';
import type { FileStore, WriteConditions } from '../file-store.ts';
import type { ObjectStore } from '../object-store.ts';
import { LARGEST_FILE, tooLarge } from '../size-limits.ts';
import { UnsupportedFileType } from '../type-detection/accepted-types.ts';
import { TypeDetector } from '../type-detection/type-detector.ts';
import { type IncomingForm, readUploadForm, type UploadForm } from './upload-form.ts';

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
  // The caller must hear why the upload failed, and not why its remains could not be removed.
  const tidyUp: TidyUp = (removal) =>
    removal.catch((error: unknown) =>
      request.log.error('the object of a failed upload may remain', { key, error }),
    );
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

/** Stores the bytes. What fails leaves no object. */
async function storeObject(
  request: UploadRequest,
  id: string,
  tidyUp: TidyUp,
  { files, objects, now }: UploadPorts,
): Promise<StoredFile> {
  const { workspaceId: workspace_id } = request;
  const key = objectKey(workspace_id, id);
  let isAnnounced = false;
  const announce = async () => {
    await files.announce({ workspace_id, id });
    isAnnounced = true;
  };
  try {
    const begin = () => new IncomingFile(announced(objects.put(key), announce), tidyUp);
    const form = await readUploadForm(request, begin);
    const created = now();
    return {
      id,
      workspace_id,
      filename: checkedFilename(form.filename),
      ...form.file,
      purpose: form.purpose,
      created_at: created.toISOString(),
      ...defined({ sha256: form.sha256, expires_at: expiryOf(form, created) }),
    };
  } catch (error) {
    if (isAnnounced) await tidyUp(objects.remove(key));
    throw error;
  }
}

/** An object that is announced before it exists. */
const announced = (
  object: ByteSink<WrittenObject>,
  announce: () => Promise<void>,
): ByteSink<WrittenObject> => ({
  write: (bytes) => object.write(bytes),
  end: async () => {
    await announce();
    return object.end();
  },
  abort: (reason) => object.abort(reason),
});

function expiryOf({ expiresInSeconds: seconds }: UploadForm<unknown>, now: Date): string | undefined {
  return seconds === undefined ? undefined : new Date(now.getTime() + seconds * 1000).toISOString();
}

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
