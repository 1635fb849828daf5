import * as v from 'valibot';
import type { Log } from '../../log.ts';
import { LAST_WORD_MILLISECONDS } from './job-machine.ts';
import type { QueueOf } from './job-queue.ts';
import type { OverdueJob, OverdueJobs } from './overdue-jobs.ts';
import { isGivenUpBy, quarantineReason } from './poison.ts';
import type { Quarantine } from './quarantine.ts';

/** Past the poller's own time-out, so that a slow worker is not mistaken for a lost message. */
export const GRACE_MILLISECONDS = 90_000;

const MINUTE = 60_000;

/** Between two sweeps of a job that nobody moves; the last of them from then on. */
const WAIT_MINUTES = [2, 4, 8, 16];

/** Less than the time between two runs of the sweeper. */
const NEXT_RUN = 30_000;

/** What the index of due rows holds of a job, and is needed of it. */
export const overdueIdSchema = v.object({ id: v.string(), due_at: v.number() });

export interface SweepJobPorts {
  readonly overdueJobs: Pick<OverdueJobs, 'find' | 'postpone'>;
  readonly quarantine: Pick<Quarantine, 'add'>;
  readonly countQuarantined: () => void;
  readonly queueOf: QueueOf;
  readonly now: () => Date;
  readonly log: Log;
}

/** What there is to do for a job whose chain has stopped. There should be none: each is logged. */
export async function sweepJob(
  { id, due_at: dueAt }: v.InferOutput<typeof overdueIdSchema>,
  ports: SweepJobPorts,
): Promise<void> {
  const job = await ports.overdueJobs.find(id);
  // The index is a little late.
  if (job === undefined || job.due_at !== dueAt) return;
  const reason = quarantineReason(job, ports.now());
  if (reason === undefined) await sendAgain(job, ports);
  else await quarantine(job, reason, ports);
}

/** First the job is put off, so that of two sweepers one sends; a crash in between costs it one wait. */
async function sendAgain(job: OverdueJob, { overdueJobs, queueOf, now, log }: SweepJobPorts): Promise<void> {
  const due = nextVisit(job, now().getTime()) - GRACE_MILLISECONDS;
  if (!(await overdueJobs.postpone(job, due))) return;
  const { id, seq, link, workspace_id } = job;
  log.warn('job was overdue', { job_id: id, sweeps: job.sweeps + 1 });
  const message = { v: 1, job_id: id, seq, ...(link === undefined ? {} : { link }) } as const;
  await queueOf(job.phase).send(message, workspace_id, 0);
}

async function quarantine(job: OverdueJob, reason: string, ports: SweepJobPorts): Promise<void> {
  if (!(await ports.quarantine.add(job, reason, ports.now()))) return;
  ports.countQuarantined();
  ports.log.error('job quarantined', { job_id: job.id, reason });
}

/**
 * When a sweeper looks at the job again, if nobody moves it until then: each time later, but at every run while
 * it is being decided whether the job ends.
 */
function nextVisit({ sweeps, deadline_at: deadline }: OverdueJob, now: number): number {
  const lastWord = deadline + LAST_WORD_MILLISECONDS;
  if (now >= lastWord && now < isGivenUpBy(deadline)) return now + NEXT_RUN;
  const later = now + (WAIT_MINUTES[sweeps] ?? WAIT_MINUTES.at(-1) ?? 0) * MINUTE;
  return now < lastWord ? Math.min(later, lastWord) : later;
}
