import type { Log } from '../log.ts';
import type { SweptRows } from './swept-rows.ts';

export interface LeavePorts {
  readonly sweptRows: Pick<SweptRows, 'noteFailure'>;
  readonly now: () => Date;
  readonly log: Pick<Log, 'error'>;
}

/**
 * Does one step for a row. If it fails, the row is left to the sweeper, which comes back later and later, and takes out
 * what cannot go on. The queue would bring back this message beside the sweeper's.
 */
export async function stepOrLeave(
  id: string,
  step: () => Promise<void>,
  { sweptRows, now, log }: LeavePorts,
): Promise<void> {
  try {
    await step();
  } catch (cause) {
    const error = cause instanceof Error ? cause : new Error(String(cause), { cause });
    log.error('row not advanced', { row_id: id, error });
    await sweptRows.noteFailure(id, error, now());
  }
}
