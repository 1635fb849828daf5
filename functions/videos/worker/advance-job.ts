import { findModel } from '../catalogue/catalogue.ts';
import type { Job } from '../jobs/job.ts';
import type { JobMessage } from '../jobs/job-queue.ts';
import { JobMoved } from '../jobs/job-steps.ts';
import { settleJob } from '../jobs/settle-job.ts';
import { putOffDelay } from './cadence.ts';
import { cancelUpstream } from './cancel-upstream.ts';
import { type AdvancePorts, MovingJob } from './moving-job.ts';
import { pollJob } from './poll-job.ts';
import { resumeSubmit, submitJob } from './submit-job.ts';

/**
 * Takes a job one step further. Whatever happens in between, repeating the message is harmless: a stale
 * one is dropped, and each step is committed under the condition that the job is as it was read.
 */
export async function advanceJob(message: JobMessage, ports: AdvancePorts): Promise<void> {
  const job = await ports.jobs.find(message.job_id);
  if (job === undefined || message.seq < job.seq) return;
  try {
    await advance(job, ports);
  } catch (error) {
    if (!(error instanceof JobMoved)) throw error;
    ports.log.info('another worker moved the job', { job_id: job.id });
  }
}

async function advance(job: Job, ports: AdvancePorts): Promise<void> {
  if (job.phase === 'settled') return;
  const model = findModel(job.model);
  if (model === undefined) {
    await settleJob(job, { type: 'failed', reason: `The model ${job.model} is no longer offered` }, ports);
    return;
  }
  const now = ports.now().getTime();
  if (now >= job.deadline_at) {
    const expired = await settleJob(job, { type: 'expired', reason: overtime(job) }, ports);
    return cancelUpstream(expired, ports);
  }
  // The worker that holds the lease also holds a message of its own; this one is not needed.
  if (job.phase === 'submitting' && now < job.due_at) return;
  await atProvider(new MovingJob(job, model, ports));
}

/** One step at the job's provider, or a later one where that has to be left alone. */
async function atProvider(job: MovingJob): Promise<void> {
  const { gate, random } = job.ports;
  const call = job.call(isSubmitNext(job) ? 'submit' : 'poll');
  const wait = gate.enter(call);
  if (wait > 0) return job.apply({ type: 'put_off', delaySeconds: putOffDelay(wait, random) });
  try {
    await step(job);
  } finally {
    gate.leave(call);
  }
}

/** Where the provider can be asked after a submit that left no answer, it is asked first. */
const isSubmitNext = ({ row, provider }: MovingJob) =>
  row.phase === 'queued' || (row.phase === 'submitting' && provider.resubmit !== 'lookup');

async function step(job: MovingJob): Promise<void> {
  switch (job.row.phase) {
    case 'queued':
      return submitJob(job);
    case 'submitting':
      return resumeSubmit(job);
    case 'polling':
      return pollJob(job);
  }
}

const overtime = ({ copy_error }: Job) =>
  copy_error === undefined
    ? 'The provider did not finish in time'
    : `The video could not be copied from the provider in time: ${copy_error}`;
