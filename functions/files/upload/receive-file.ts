import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Log } from '../../log.ts';
import { objectKey, type StoredFile } from '../file.ts';
import type { FileStore, WriteConditions } from '../file-store.ts';
import type { ObjectStore } from '../object-store.ts';
import { checkedFilename } from './filename.ts';
import { InspectedFile } from './inspected-file.ts';
import { limitedBody } from './limited-body.ts';
import { readUploadForm } from './upload-form.ts';

export interface UploadRequest {
  readonly body: Readable;
  readonly contentType: string | undefined;
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
    const form = await readUploadForm(limitedBody(request.body), request.contentType, (part) => {
      objectBegun = true;
      return store(part, key, ports);
    });
    const file: StoredFile = {
      id,
      workspace_id: request.workspaceId,
      filename: checkedFilename(form.filename),
      ...form.file,
      purpose: form.purpose,
      created_at: ports.now().toISOString(),
    };
    await ports.files.create(file, ports.quotaBytes, request.conditions());
    return file;
  } catch (error) {
    if (objectBegun) await removeRemains(key, ports, request.log);
    throw error;
  }
}

/** Settles only when both the reading and the writing have, so that nothing is written after its removal. */
async function store(part: Readable, key: string, { objects }: UploadPorts) {
  const inspected = new InspectedFile();
  const written = objects.put(key, inspected).catch((error: Error) => {
    // Nobody reads any more; without this the part would wait for ever.
    inspected.destroy(error);
    throw error;
  });
  const outcomes = await Promise.allSettled([pipeline(part, inspected), written]);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return inspected.verdict();
}

/** Why the upload failed is what the caller must hear, whatever becomes of the tidying. */
async function removeRemains(key: string, { objects }: UploadPorts, log: Log): Promise<void> {
  try {
    await objects.remove(key);
  } catch (error) {
    log.error('the object of a failed upload may remain', { key, error });
  }
}
