import { findModel } from './catalogue.ts';
import type { Job } from './job.ts';
import type { JobMessage } from './job-queue.ts';
import { JobMoved } from './job-steps.ts';
import { type AdvancePorts, MovingJob } from './moving-job.ts';
import { pollJob } from './poll-job.ts';
import { settleJob } from './settle-job.ts';
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
  if (ports.now().getTime() >= job.deadline_at) {
    await settleJob(job, { type: 'expired', reason: overtime(job) }, ports);
    return;
  }
  const moving = new MovingJob(job, model, ports);
  switch (job.phase) {
    case 'queued':
      return submitJob(moving);
    case 'submitting':
      return resumeSubmit(moving);
    case 'polling':
      return pollJob(moving);
  }
}

const overtime = ({ copy_error }: Job) =>
  copy_error === undefined
    ? 'The provider did not finish in time'
    : `The video could not be copied from the provider in time: ${copy_error}`;
