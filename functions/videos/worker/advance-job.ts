import type { Job } from '../jobs/job.ts';
import type { JobMessage } from '../jobs/job-queue.ts';
import { JobMoved } from '../jobs/job-steps.ts';
import { settleJob } from '../jobs/settle-job.ts';
import { putOffDelay } from './cadence.ts';
import { expireJob } from './expire-job.ts';
import { placeOf } from './job-place.ts';
import { moveOn } from './move-on.ts';
import { type AdvancePorts, MovingJob } from './moving-job.ts';
import { pollJob } from './poll-job.ts';
import { resumeSubmit, submitUnlessCancelled } from './submit-job.ts';

/**
 * Takes a job one step further. Whatever happens in between, repeating the message is harmless: a stale
 * one is dropped, and each step is committed under the condition that the job is as it was read.
 */
export async function advanceJob(message: JobMessage, ports: AdvancePorts): Promise<void> {
  const job = await ports.jobs.find(message.job_id);
  if (job === undefined || isStale(message, job)) return;
  try {
    await advance(job, ports);
  } catch (error) {
    if (!(error instanceof JobMoved)) throw error;
    ports.log.info('another worker moved the job', { job_id: job.id });
  }
}

/** Of the same link only the message that was committed with it may act, so that copies die out. */
function isStale({ seq, link }: JobMessage, job: Job): boolean {
  return seq < job.seq || (seq === job.seq && link !== undefined && link !== job.link);
}

async function advance(job: Job, ports: AdvancePorts): Promise<void> {
  if (job.phase === 'settled') return;
  const place = await placeOf(job, ports);
  if (place === undefined) {
    await settleJob(job, { type: 'failed', reason: `The model ${job.model} is no longer offered` }, ports);
    return;
  }
  if (isLeased(job, ports.now())) return;
  const moving = new MovingJob(job, place, ports);
  // What a provider has accepted is asked after once more: it may be finished, and paid for.
  if (moving.isOverdue && job.phase !== 'polling') return expireJob(moving);
  await atProvider(moving);
}

/**
 * Whether a worker may be submitting it, which then has a message of its own: this one is not needed. A job that
 * was swept has a later `due_at` for that alone; its lease had ended before.
 */
const isLeased = ({ phase, sweeps, due_at: dueAt }: Job, now: Date) =>
  phase === 'submitting' && sweeps === 0 && now.getTime() < dueAt;

/** One step at the job's provider, or a later one where that has to be left alone. */
async function atProvider(job: MovingJob): Promise<void> {
  const { gate, random } = job.ports;
  const call = job.call(isSubmitNext(job) ? 'submit' : 'poll');
  const wait = gate.enter(call);
  if (wait > 0) {
    if (job.isBeyondLastWord) return expireJob(job);
    if (wait > PATIENCE_SECONDS && hasUntriedPlace(job)) {
      return moveOn(job, { reason: 'The provider is left alone for now', isForGood: false });
    }
    return job.apply({ type: 'put_off', delaySeconds: putOffDelay(wait, random) });
  }
  try {
    await step(job);
  } finally {
    gate.leave(call);
  }
}

/** For so long a job waits rather than go elsewhere. */
const PATIENCE_SECONDS = 1;

const hasUntriedPlace = ({ row }: MovingJob): boolean =>
  row.phase === 'queued' && row.alternatives.some(({ tried }) => tried !== true);

/** Where the provider can be asked after a submit that left no answer, it is asked first. */
const isSubmitNext = ({ row, provider }: MovingJob) =>
  row.phase === 'queued' || (row.phase === 'submitting' && provider.resubmit !== 'lookup');

async function step(job: MovingJob): Promise<void> {
  switch (job.row.phase) {
    case 'queued':
      return submitUnlessCancelled(job);
    case 'submitting':
      return resumeSubmit(job);
    case 'polling':
      return pollJob(job);
  }
}
