import * as v from 'valibot';
import { systemClock } from '../../clock.ts';
import { expiredFileRows, fileStore, objectStore } from '../../deployed/stores.ts';
import { objectKey } from '../../files/file.ts';
import { sweepOverdue } from '../../sweeping/sweep.ts';
import { log } from '../../telemetry/logger.ts';
import { tellUnreadable } from '../../telemetry/tell-unreadable.ts';

const expiredSchema = v.object({ id: v.string(), workspace_id: v.string(), size_bytes: v.number() });
const overdue = { rows: expiredFileRows(), schema: expiredSchema, graceMilliseconds: 0 };
const files = fileStore();
const objects = objectStore();

/** Removes expired files, which nobody can see any more, and gives back the room that they took. */
export const handler = (): Promise<void> =>
  sweepOverdue(
    overdue,
    async (file) => {
      // The object goes first: after a crash the row is still there, and is found again.
      await objects.remove(objectKey(file.workspace_id, file.id));
      await files.remove(file);
    },
    { now: systemClock, tellUnreadable, log },
  );
