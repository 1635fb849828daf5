import { type OverdueRow, standingFailure } from '../../sweeping/swept-rows.ts';
import { LAST_WORD_MILLISECONDS } from './job-outcome.ts';
import { overdueJob } from './overdue-jobs.ts';
import { salvageJob } from './salvage-job.ts';

const MINUTE = 60_000;

/** By now every job that can be read, and whose workers run, has ended. */
const POISONED_AFTER = LAST_WORD_MILLISECONDS + 2 * MINUTE;

/**
 * If workers have written nothing for this long, all of them may be down. Then the jobs are not at fault, and get more
 * time.
 */
const SILENT_AFTER = 60 * MINUTE;

const ENOUGH_SWEEPS = 2;

/** By when a job that cannot go on is out of the way, or will be at the sweeper's next run. */
export const isGivenUpBy = (deadline: number): number => deadline + 10 * MINUTE;

/** Why a job must be taken out of the queue for good; undefined while it may still end by itself. */
export function quarantineReason(row: OverdueRow, now: Date): string | undefined {
  const late = now.getTime() - overdueJob(row).deadline_at;
  if (row.sweeps < ENOUGH_SWEEPS || late < POISONED_AFTER) return undefined;
  const { unread } = salvageJob(row.row);
  if (unread.length > 0) return `its row cannot be read: ${unread.join(', ')}`;
  const failure = standingFailure(row);
  if (failure !== undefined) return `workers fail on it: ${failure}`;
  return late < SILENT_AFTER ? undefined : 'no worker has moved it or said why, an hour past its deadline';
}
