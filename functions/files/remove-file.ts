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
 */
export async function deleteFile(file: StoredFile, ports: DeleteFilePorts): Promise<boolean> {
  if (!(await ports.files.end(file, ports.newToken()))) return false;
  await removeEnded(file, ports).catch((error: unknown) =>
    ports.log.warn('a deleted file is left to the sweeper', { file_id: file.id, error }),
  );
  return true;
}

export interface SweepFilePorts extends RemoveFilePorts {
  readonly files: Pick<FileStore, 'endDue' | 'remove'>;
}

/** Removes a file that has expired or was deleted, or an upload that was never completed. */
export async function sweepFile(file: DueFile, ports: SweepFilePorts): Promise<void> {
  if (await ports.files.endDue(file)) await removeEnded(file, ports);
}

/** The object goes first: after a crash the row is still there, and is found again. */
async function removeEnded(
  file: Pick<StoredFile, 'workspace_id' | 'id' | 'size_bytes'>,
  { files, objects }: RemoveFilePorts,
): Promise<void> {
  await objects.remove(objectKey(file.workspace_id, file.id));
  await files.remove(file);
}
