import type { Log } from '../../telemetry/log.ts';
import type { DueFile } from '../file.ts';
import type { ObjectStore } from '../object-store.ts';
import { assertPending, findUpload, partKey, type StoredUpload, type UploadKey } from './upload.ts';
import type { UploadStore } from './upload-store.ts';

export interface RemovePartsPorts {
  readonly objects: Pick<ObjectStore, 'remove'>;
}

/** As many connections as a function has for S3, and some more that wait. */
const REMOVALS_AT_ONCE = 32;

/** Also those that never became parts: their objects may have been written all the same. */
async function removeObjects(upload: StoredUpload, { objects }: RemovePartsPorts): Promise<void> {
  const ids = Object.keys(upload.parts);
  for (let i = 0; i < ids.length; i += REMOVALS_AT_ONCE) {
    await Promise.all(ids.slice(i, i + REMOVALS_AT_ONCE).map((id) => objects.remove(partKey(upload, id))));
  }
}

/** Removes the parts of an upload that has ended. What stays is left to the sweeper. */
export const removeParts = (
  upload: StoredUpload,
  ports: RemovePartsPorts,
  log: Pick<Log, 'warn'>,
): Promise<void> =>
  removeObjects(upload, ports).catch((error: unknown) =>
    log.warn('the parts of an upload are left to the sweeper', { upload_id: upload.id, error }),
  );

export interface CancelUploadPorts extends RemovePartsPorts {
  readonly uploads: Pick<UploadStore, 'find' | 'end'>;
  readonly now: () => Date;
  readonly log: Pick<Log, 'warn'>;
}

const NO_MORE = 'you can cancel an upload only while it is pending';

/**
 * Cancels an upload, and gives back its room. One that was cancelled before stays so.
 * @throws NotFound, InvalidRequest for one that has ended otherwise
 */
export async function cancelUpload(key: UploadKey, ports: CancelUploadPorts): Promise<StoredUpload> {
  const upload = await findUpload(key, ports.uploads);
  if (upload.status === 'cancelled') return upload;
  assertPending(upload, ports.now(), NO_MORE);
  if (!(await ports.uploads.end(upload, 'cancelled'))) {
    const ended = await findUpload(key, ports.uploads);
    assertPending(ended, ports.now(), NO_MORE);
    return ended;
  }
  await removeParts(upload, ports, ports.log);
  return { ...upload, status: 'cancelled' };
}

export interface SweepUploadPorts extends RemovePartsPorts {
  readonly uploads: Pick<UploadStore, 'find' | 'end' | 'remove'>;
}

/**
 * Ends an upload whose time is over. Of one that ended so long ago that no part can arrive any more, nothing stays: a
 * part that was on its way at its end may have been written since.
 */
export async function sweepUpload(due: DueFile, ports: SweepUploadPorts): Promise<void> {
  const upload = await ports.uploads.find(due.workspace_id, due.id);
  // The index may show rows for a moment that are gone, or due later.
  if (upload === undefined || upload.due_at !== due.due_at) return;
  const isOver = upload.status !== 'pending';
  if (!isOver && !(await ports.uploads.end(upload, 'expired'))) return;
  await removeObjects(upload, ports);
  if (isOver) await ports.uploads.remove(upload);
}
