import type { Log } from '../../log.ts';
import { announceEvent } from '../../webhooks/events/announce-event.ts';
import type { EventQueue } from '../../webhooks/events/event-queue.ts';
import type { Job } from './job.ts';
import { settlementEvent } from './job-event.ts';
import { transition } from './job-machine.ts';
import type { JobSteps } from './job-steps.ts';
import type { JobEvent } from './lifecycle.ts';

export interface SettlePorts {
  readonly steps: Pick<JobSteps, 'settle'>;
  readonly eventQueue: EventQueue;
  readonly now: () => Date;
  /** Returns a new name each time. */
  readonly newStepName: () => string;
  /** By final status, and `moderated` for what the provider’s moderation refused. */
  readonly countSettled: (outcome: string, job: Job) => void;
  readonly log: Log;
}

/**
 * Ends a job. Commits first and sends then: the end must be true before anyone hears of it. If a crash comes in
 * between, the sweeper sends.
 * @throws JobMoved when the job has changed since it was read
 */
export async function settleJob(job: Job, event: JobEvent, ports: SettlePorts): Promise<Job> {
  const now = ports.now();
  const step = transition(job, event, now, ports.newStepName());
  const settled = { ...job, ...step.changes };
  const outbox = settlementEvent(settled, now);
  await ports.steps.settle(job, step, outbox);
  const outcome = event.type === 'failed' && event.moderated ? 'moderated' : settled.status;
  ports.countSettled(outcome, settled);
  const { id, provider, error_kind: failure } = settled;
  ports.log.info('job settled', { job_id: id, outcome, provider, failure: failure?.type });
  await announceEvent(outbox, ports.eventQueue, ports.log);
  return settled;
}
