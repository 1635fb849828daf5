import { insist } from '../../aws/retry.ts';
import { workersOfWorkspace } from '../../fair-shares.ts';
import { putOffDelay } from '../jobs/cadence.ts';
import type { MovingJob, MovingPorts } from './moving-job.ts';
import type { ShareStore } from './share-store.ts';

export interface SubmitPorts extends MovingPorts {
  readonly shares: Pick<ShareStore, 'enter' | 'leave'>;
  /** How many submitters work at once. */
  readonly submitters: number;
}

/** As long as a submitter lives. */
const LAPSE_MILLISECONDS = 60_000;

/**
 * Does a step with a job that its provider may not have yet, if the job's workspace has a submitter left. Otherwise the
 * job waits: a submit cannot be ended early, because nobody would know whether it was accepted.
 */
export async function withinSubmitShare(
  job: MovingJob<SubmitPorts>,
  step: () => Promise<void>,
): Promise<void> {
  // At its deadline a job ends, or is asked about once more: it waits for nobody.
  if (job.isOverdue) return step();
  const { row, ports } = job;
  const { shares, submitters, pause } = ports;
  const now = ports.now();
  const mine = [{ id: `submits ${row.workspace_id}`, size: workersOfWorkspace(submitters) }];
  const occupant = { jobId: row.id, lapsesAt: now.getTime() + LAPSE_MILLISECONDS };
  if (!(await insist(() => shares.enter(mine, occupant, now), pause))) return waitForRoom(job, now);
  try {
    await step();
  } finally {
    await shares.leave(mine, occupant);
  }
}

const LONGEST_WAIT_SECONDS = 20;

/** The longer it has waited, the longer it waits: the many jobs of a long queue do not ask all the time. */
function waitForRoom(job: MovingJob, now: Date): Promise<void> {
  const waited = (now.getTime() - Date.parse(job.row.created_at)) / 1000;
  const delaySeconds = putOffDelay(Math.min(LONGEST_WAIT_SECONDS, waited / 4), job.ports.random);
  return job.apply({ type: 'put_off', delaySeconds, waitingFor: 'provider_busy' });
}
