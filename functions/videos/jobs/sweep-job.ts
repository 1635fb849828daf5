import * as v from 'valibot';
import { defined } from '../../defined.ts';
import { laterVisit, type RowCare, type SweepRowPorts, sweepRow } from '../../sweeping/sweep.ts';
import { type DueRow, type OverdueRow, type RowKind, standingFailure } from '../../sweeping/swept-rows.ts';
import { jobRowSchema, leaseEnd } from './job.ts';
import { LAST_WORD_MILLISECONDS } from './job-machine.ts';
import type { QueueOf } from './job-queue.ts';
import type { Quarantine } from './quarantine.ts';
import { salvageJob } from './salvage-job.ts';

/** Longer than the poller's own time-out, so that a slow worker is not taken for a lost message. */
export const GRACE_MILLISECONDS = 90_000;

/** Less than the time between two runs of the sweeper. */
const NEXT_RUN = 30_000;

export interface SweepJobPorts extends SweepRowPorts {
  readonly quarantine: Pick<Quarantine, 'add'>;
  readonly queueOf: QueueOf;
}

/** Decides what to do for a job whose chain has stopped. There should be none, so each is logged. */
export const sweepJob = (row: DueRow, ports: SweepJobPorts): Promise<void> =>
  sweepRow(row, careOfJobs(ports), ports);

const careOfJobs = ({ quarantine, queueOf, now, log }: SweepJobPorts): RowCare => ({
  graceMilliseconds: GRACE_MILLISECONDS,
  quarantineReason,
  quarantine: (row, reason, now) => quarantine.add(row, reason, now),
  nextVisit,
  send: async (row) => {
    const { id, workspace_id, sweeps } = row;
    const { phase, seq, link, leaseEndsAt } = overdueJob(row);
    if (leaseEndsAt > now().getTime()) return;
    log.warn('job was overdue', { job_id: id, sweeps: sweeps + 1 });
    const message = { v: 1, job_id: id, seq, ...defined({ link }) } as const;
    await queueOf(phase).send(message, workspace_id, 0);
  },
});

/**
 * Later each time; but at every run of the sweeper while it must be decided whether the job ends. A job that a worker may
 * be at is due when that should be done.
 */
function nextVisit(row: OverdueRow, now: number): number {
  const { deadline_at: deadline, leaseEndsAt } = overdueJob(row);
  if (leaseEndsAt > now) return leaseEndsAt + GRACE_MILLISECONDS;
  const lastWord = deadline + LAST_WORD_MILLISECONDS;
  if (now >= lastWord && now < isGivenUpBy(deadline)) return now + NEXT_RUN;
  const later = laterVisit(row, now);
  return now < lastWord ? Math.min(later, lastWord) : later;
}

/** How the sweeper judges the progress of a job. */
export const JOB_ROWS: RowKind = { step: 'step', state: 'phase', ended: ['settled'] };

const overdueJobSchema = v.object({
  phase: v.fallback(v.optional(jobRowSchema.entries.phase), undefined),
  seq: v.fallback(v.number(), 0),
  link: v.fallback(v.optional(v.string()), undefined),
  /** An unreadable deadline counts as passed. */
  deadline_at: v.fallback(v.number(), 0),
  leased_until: v.fallback(v.number(), 0),
});

/** What the sweeper needs, as far as the job's row can be read. */
function overdueJob({ row }: OverdueRow) {
  const job = v.parse(overdueJobSchema, row);
  return { ...job, leaseEndsAt: leaseEnd(job) };
}

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
  return late < SILENT_AFTER
    ? undefined
    : 'its deadline passed at least an hour ago, and no worker has moved it or reported an error';
}
