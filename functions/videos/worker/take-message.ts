import type { JobMessage } from '../jobs/job-queue.ts';
import type { OverdueJobs } from '../jobs/overdue-jobs.ts';
import type { MovingPorts } from './moving-job.ts';

export interface TakeMessagePorts extends MovingPorts {
  readonly overdueJobs: Pick<OverdueJobs, 'noteFailure'>;
}

/**
 * Takes a job a step further. One that fails is left to the sweeper, which comes back later and later, and takes out what
 * cannot be carried on; the queue would bring this message back beside the sweeper's.
 */
export async function takeMessage<Ports extends TakeMessagePorts>(
  message: JobMessage,
  ports: Ports,
  step: (message: JobMessage, ports: Ports) => Promise<void>,
): Promise<void> {
  try {
    await step(message, ports);
  } catch (cause) {
    const error = cause instanceof Error ? cause : new Error(String(cause), { cause });
    ports.log.error('job not advanced', { job_id: message.job_id, error });
    await ports.overdueJobs.noteFailure(message.job_id, error, ports.now());
  }
}
