import { failures } from '../jobs/failure-kind.ts';
import type { Job } from '../jobs/job.ts';
import type { JobMessage } from '../jobs/job-queue.ts';
import { JobMoved } from '../jobs/job-steps.ts';
import { settleJob } from '../jobs/settle-job.ts';
import { insistentPorts } from './insistent-ports.ts';
import { placeOf } from './job-place.ts';
import { MovingJob, type MovingPorts } from './moving-job.ts';

/**
 * Does the step that a message is for, if the job is in one of these phases. Whatever happens in between,
 * repeating the message is harmless: a stale one is dropped, and each step is committed under the condition
 * that the job is as it was read.
 */
export async function moveJob<Ports extends MovingPorts>(
  message: JobMessage,
  given: Ports,
  phases: readonly Job['phase'][],
  step: (job: MovingJob<Ports>) => Promise<void>,
): Promise<void> {
  const ports = insistentPorts(given);
  const job = await ports.jobs.find(message.job_id);
  if (job === undefined || isStale(message, job) || !phases.includes(job.phase)) return;
  try {
    const place = await placeOf(job, ports);
    if (place === undefined) {
      const reason = `The model ${job.model} is no longer offered`;
      await settleJob(job, { type: 'failed', reason, failure: failures.refusal }, ports);
    } else if (!isLeased(job, ports.now())) {
      await step(new MovingJob(job, place, ports));
    }
  } catch (error) {
    if (!(error instanceof JobMoved)) throw error;
    ports.log.info('another worker moved the job', { job_id: job.id });
  }
}

/** Of the same link only the message that was committed with it may act, so that copies die out. */
function isStale({ seq, link }: JobMessage, job: Job): boolean {
  return seq < job.seq || (seq === job.seq && link !== undefined && link !== job.link);
}

/**
 * Whether a worker may be at it just now, which then has a message of its own: this one is not needed. A job that
 * was swept has a later `due_at` for that alone; its lease had ended before.
 */
const isLeased = ({ phase, sweeps, due_at: dueAt }: Job, now: Date) =>
  (phase === 'submitting' || phase === 'copying') && sweeps === 0 && now.getTime() < dueAt;
