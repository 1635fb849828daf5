import { failures } from '../jobs/failure-kind.ts';
import type { Job } from '../jobs/job.ts';
import type { JobMessage } from '../jobs/job-queue.ts';
import { JobMoved } from '../jobs/job-steps.ts';
import { settleJob } from '../jobs/settle-job.ts';
import { insistentPorts } from './insistent-ports.ts';
import { placeOf } from './job-place.ts';
import { MovingJob, type MovingPorts } from './moving-job.ts';

/**
 * Does the step that a message asks for, if the job is in one of these phases. A message may be repeated at any time:
 * an old one is dropped, and each step is committed only if the job has not changed since it was read.
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

/** Of several messages for one link only the one committed with it may act, so copies end here. */
function isStale({ seq, link }: JobMessage, job: Job): boolean {
  return seq < job.seq || (seq === job.seq && link !== undefined && link !== job.link);
}

/**
 * Whether another worker may be busy with the job; then it has sent a message of its own, and this one is not needed. A
 * swept job has a later `due_at` only because of the sweep; its lease had ended before.
 */
const isLeased = ({ phase, sweeps, due_at: dueAt }: Job, now: Date) =>
  (phase === 'submitting' || phase === 'copying') && sweeps === 0 && now.getTime() < dueAt;
