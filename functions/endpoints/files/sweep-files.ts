import { systemClock } from '../../clock.ts';
import { expiredFileRows, fileStore, objectStore, uploadStore } from '../../deployed/stores.ts';
import { dueFileSchema } from '../../files/file.ts';
import { sweepUpload } from '../../files/parts/end-upload.ts';
import { isUploadId } from '../../files/parts/upload.ts';
import { sweepFile } from '../../files/remove-file.ts';
import { sweepOverdue } from '../../sweeping/sweep.ts';
import { log } from '../../telemetry/logger.ts';
import { tellUnreadable } from '../../telemetry/metrics.ts';

const overdue = { rows: expiredFileRows(), schema: dueFileSchema, graceMilliseconds: 0 };
const ports = { files: fileStore(), uploads: uploadStore(), objects: objectStore() };

/** Removes files that nobody can see any more and uploads that have ended, and gives back the room that they took. */
export const handler = (): Promise<void> =>
  sweepOverdue(overdue, (due) => (isUploadId(due.id) ? sweepUpload : sweepFile)(due, ports), {
    now: systemClock,
    tellUnreadable,
    log,
  });
