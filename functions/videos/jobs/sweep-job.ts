import * as v from 'valibot';
import type { Log } from '../../log.ts';
import type { JobQueue } from './job-queue.ts';
import type { OverdueJob, OverdueJobs } from './overdue-jobs.ts';

/** Past the poller's own time-out, so that a slow worker is not mistaken for a lost message. */
export const GRACE_MILLISECONDS = 90_000;

const MINUTE = 60_000;

/** Between two sweeps of a job that nobody moves; the last of them from then on. */
const WAIT_MINUTES = [2, 4, 8, 16];

/** What the index of due rows holds of a job, and is needed of it. */
export const overdueIdSchema = v.object({ id: v.string(), due_at: v.number() });

export interface SweepJobPorts {
  readonly overdueJobs: Pick<OverdueJobs, 'find' | 'postpone'>;
  readonly jobQueue: JobQueue;
  readonly now: () => Date;
  readonly log: Log;
}

/**
 * Sends again the message of a job whose chain has stopped. There should be none: each is logged. First the
 * job is put off, so that of two sweepers one sends; a crash in between costs it one wait.
 */
export async function sweepJob(
  { id, due_at: dueAt }: v.InferOutput<typeof overdueIdSchema>,
  ports: SweepJobPorts,
): Promise<void> {
  const job = await ports.overdueJobs.find(id);
  // The index is a little late.
  if (job === undefined || job.due_at !== dueAt) return;
  const due = nextVisit(job, ports.now()) - GRACE_MILLISECONDS;
  if (!(await ports.overdueJobs.postpone(job, due))) return;
  ports.log.warn('job was overdue', { job_id: id, sweeps: job.sweeps + 1 });
  const { seq, link, workspace_id } = job;
  await ports.jobQueue.send(
    { v: 1, job_id: id, seq, ...(link === undefined ? {} : { link }) },
    workspace_id,
    0,
  );
}

/** When a sweeper looks at the job again, if nobody moves it until then. */
function nextVisit({ sweeps }: OverdueJob, now: Date): number {
  const wait = WAIT_MINUTES[sweeps] ?? WAIT_MINUTES.at(-1) ?? 0;
  return now.getTime() + wait * MINUTE;
}
