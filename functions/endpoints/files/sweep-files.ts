import { systemClock } from '../../clock.ts';
import { expiredFileRows, fileStore, objectStore } from '../../deployed/stores.ts';
import { dueFileSchema } from '../../files/file-store.ts';
import { sweepFile } from '../../files/remove-file.ts';
import { sweepOverdue } from '../../sweeping/sweep.ts';
import { log } from '../../telemetry/logger.ts';
import { tellUnreadable } from '../../telemetry/tell-unreadable.ts';

const overdue = { rows: expiredFileRows(), schema: dueFileSchema, graceMilliseconds: 0 };
const ports = { files: fileStore(), objects: objectStore() };

/** Removes files that nobody can see any more, and gives back the room that they took. */
export const handler = (): Promise<void> =>
  sweepOverdue(overdue, (file) => sweepFile(file, ports), { now: systemClock, tellUnreadable, log });
