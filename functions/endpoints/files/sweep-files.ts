import * as v from 'valibot';
import { log } from '../../aws/logger.ts';
import { tellUnreadable } from '../../aws/tell-unreadable.ts';
import { systemClock } from '../../clock.ts';
import { objectKey } from '../../files/file.ts';
import { sweepOverdue } from '../../sweeping/overdue.ts';
import { expiredFileRows, fileStore } from './deployed.ts';
import { objectStore } from './deployed-objects.ts';

const expiredSchema = v.object({ id: v.string(), workspace_id: v.string(), size_bytes: v.number() });
const overdue = { rows: expiredFileRows(), schema: expiredSchema, graceMilliseconds: 0 };
const files = fileStore();
const objects = objectStore();

/** Removes files that have expired, which nobody sees any more, and gives back what they took. */
export const handler = (): Promise<void> =>
  sweepOverdue(
    overdue,
    async (file) => {
      // The object first: after a crash in between the row is still there to be found.
      await objects.remove(objectKey(file.workspace_id, file.id));
      await files.remove(file);
    },
    { now: systemClock, tellUnreadable, log },
  );
