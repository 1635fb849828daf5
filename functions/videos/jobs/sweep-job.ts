import { defined } from '../../defined.ts';
import { laterVisit, type RowCare, type SweepRowPorts, sweepRow } from '../../sweeping/sweep-row.ts';
import type { DueRow, OverdueRow } from '../../sweeping/swept-rows.ts';
import { LAST_WORD_MILLISECONDS } from './job-outcome.ts';
import type { QueueOf } from './job-queue.ts';
import { overdueJob } from './overdue-jobs.ts';
import { isGivenUpBy, quarantineReason } from './poison.ts';
import type { Quarantine } from './quarantine.ts';

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

const careOfJobs = ({ quarantine, queueOf, log }: SweepJobPorts): RowCare => ({
  graceMilliseconds: GRACE_MILLISECONDS,
  quarantineReason,
  quarantine: (row, reason, now) => quarantine.add(row, reason, now),
  nextVisit,
  send: async (row) => {
    const { id, workspace_id, sweeps } = row;
    const { phase, seq, link } = overdueJob(row);
    log.warn('job was overdue', { job_id: id, sweeps: sweeps + 1 });
    const message = { v: 1, job_id: id, seq, ...defined({ link }) } as const;
    await queueOf(phase).send(message, workspace_id, 0);
  },
});

/** Later each time; but at every run of the sweeper while it must be decided whether the job ends. */
function nextVisit(row: OverdueRow, now: number): number {
  const { deadline_at: deadline } = overdueJob(row);
  const lastWord = deadline + LAST_WORD_MILLISECONDS;
  if (now >= lastWord && now < isGivenUpBy(deadline)) return now + NEXT_RUN;
  const later = laterVisit(row, now);
  return now < lastWord ? Math.min(later, lastWord) : later;
}
