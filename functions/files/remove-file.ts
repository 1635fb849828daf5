import type { Log } from '../telemetry/log.ts';
import { type DueFile, objectKey, type StoredFile } from './file.ts';
import type { FileStore } from './file-store.ts';
import type { ObjectStore } from './object-store.ts';

interface RemoveFilePorts {
  readonly files: Pick<FileStore, 'remove'>;
  readonly objects: Pick<ObjectStore, 'remove'>;
}

export interface DeleteFilePorts extends RemoveFilePorts {
  readonly files: Pick<FileStore, 'end' | 'remove'>;
  /** Returns a new one each time. */
  readonly newToken: () => string;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * Deletes a file. The first write decides: from then on nobody sees the file, and what cannot be removed now is left to
 * the sweeper.
 * @returns false when somebody else has deleted it
 * @throws what keeps the object there: links to it would still work
 */
export async function deleteFile(file: StoredFile, ports: DeleteFilePorts): Promise<boolean> {
  const { files, objects, newToken, log } = ports;
  if (!(await files.end(file, newToken()))) return false;
  await objects.remove(objectKey(file.workspace_id, file.id));
  await files
    .remove(file)
    .catch((error: unknown) =>
      log.warn('the row of a deleted file is left to the sweeper', { file_id: file.id, error }),
    );
  return true;
}

export interface SweepFilePorts extends RemoveFilePorts {
  readonly files: Pick<FileStore, 'endDue' | 'remove'>;
}

/**
 * Removes a file that has expired or was deleted, or an upload that was never completed. The object goes first: after a
 * crash the row is still there, and is found again.
 */
export async function sweepFile(file: DueFile, { files, objects }: SweepFilePorts): Promise<void> {
  if (!(await files.endDue(file))) return;
  await objects.remove(objectKey(file.workspace_id, file.id));
  await files.remove(file);
}
