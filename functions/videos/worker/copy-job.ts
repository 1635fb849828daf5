import { insist } from '../../aws/insist.ts';
import { outputKey } from '../bucket-layout.ts';
import type { StoredOutput } from '../jobs/job.ts';
import { COPY_PHASES, type JobMessage } from '../jobs/job-queue.ts';
import { ProviderError, type ProviderOutput, type ProviderState } from '../providers/provider.ts';
import { openResult, ResultUnavailable } from '../results/open-result.ts';
import { UnusableResult } from '../results/result-store.ts';
import { atProvider } from './at-provider.ts';
import { failedPollDelay } from './cadence.ts';
import { expireJob } from './expire-job.ts';
import { moveJob } from './move-job.ts';
import type { CopyPorts, MovingJob } from './moving-job.ts';
import { endAsTold, readState } from './poll-job.ts';

/** No vendor makes more for a job. Each is copied, kept, and listed in the job's row, which has an end. */
const MOST_OUTPUTS = 16;

type CopiedJob = MovingJob<CopyPorts>;
type Success = ProviderState & { readonly state: 'succeeded' };

/** What one copy may take of the function's 15 minutes; the rest is for what comes before and after it. */
export const COPY_MILLISECONDS = 13 * 60_000;

/** Longer than the function lives, so that a live worker is never overtaken. */
const LEASE_MILLISECONDS = 16 * 60_000;

/** A content network may serve an error page under 200, or half a file, for a moment. */
const UNUSABLE_COPIES = 3;

/** Copies what the provider made and ends the job, or puts it off until what was made can be had. */
export const copyJob = (message: JobMessage, ports: CopyPorts): Promise<void> =>
  moveJob(message, ports, COPY_PHASES, (job) => atProvider(job, 'poll', () => copy(job)));

async function copy(job: CopiedJob): Promise<void> {
  // However late, what is made is copied; a copy that was left behind then is the last one.
  if (job.row.phase === 'copying' && job.isBeyondLastWord) return expireJob(job);
  const leaseUntil = job.ports.now().getTime() + LEASE_MILLISECONDS;
  await job.apply({ type: 'copy_begun', leaseUntil });
  // Addresses of results expire, and may be secrets: they are asked for where they are used, and not stored.
  const state = await readState(job);
  if (state instanceof ProviderError) return copyLater(job, state, state.retryAfterSeconds);
  switch (state.state) {
    case 'succeeded':
      return complete(job, state);
    case 'queued':
    case 'running':
      return copyLater(job, new ResultUnavailable('The provider speaks of its result as unfinished again'));
    default:
      return endAsTold(job, state);
  }
}

async function complete(job: CopiedJob, { outputs, costMicros }: Success): Promise<void> {
  const keptDays = await insist(() => job.ports.keptDays(job.row.workspace_id), job.ports.pause);
  const prefix = (index: number) => outputKey(job.row, keptDays, job.row.step, index);
  const copies = await copyAll(job, outputs, prefix).catch((error: unknown) => ({ error }));
  if ('error' in copies) return afterFailedCopy(job, copies.error);
  const cost = costMicros === undefined ? {} : { costMicros };
  await job.settle({ type: 'completed', outputs: copies, keptDays, ...cost });
  tellIfUnderpriced(job);
}

async function copyAll(
  job: CopiedJob,
  outputs: readonly ProviderOutput[],
  keyOf: (index: number) => string,
): Promise<StoredOutput[]> {
  if (outputs.length > MOST_OUTPUTS) {
    throw new UnusableResult(
      `The provider returned ${outputs.length} videos, and at most ${MOST_OUTPUTS} are taken`,
    );
  }
  const copies: StoredOutput[] = [];
  const { downloadContext, results, pause } = job.ports;
  const context = await downloadContext(job.place.providerName, job.row);
  for (const [index, output] of outputs.entries()) {
    const body = await openResult(output, { ...context, pause });
    copies.push(await results.save(keyOf(index), body));
  }
  return copies;
}

/** The deployer bears the difference, and must hear of it. */
function tellIfUnderpriced({ row, ports }: CopiedJob): void {
  const { id, model, cost_micros, upstream_cost_micros } = row;
  if (upstream_cost_micros === undefined) return;
  ports.countUnderpriced();
  const costs = { cost_micros, upstream_cost_micros };
  ports.log.warn('provider charged more than was held', { job_id: id, model, ...costs });
}

/** An address that has expired is renewed by the next answer; bytes that are no video seldom become one. */
async function afterFailedCopy(job: CopiedJob, error: unknown): Promise<void> {
  if (error instanceof UnusableResult) {
    const isLast = job.row.unusable_copies + 1 >= UNUSABLE_COPIES;
    if (isLast) return job.settle({ type: 'failed', reason: error.message });
  } else if (!(error instanceof ResultUnavailable)) {
    job.ports.log.error('result not stored', { job_id: job.row.id, error });
    return copyLater(job, new ResultUnavailable('It could not be stored', { cause: error }));
  }
  return copyLater(job, error);
}

function copyLater(job: CopiedJob, error: Error, retryAfterSeconds = 0): Promise<void> {
  job.warn('copy failed', error);
  if (job.isBeyondLastWord) return expireJob(job);
  return job.apply({
    type: 'copy_failed',
    reason: error.message,
    isUnusable: error instanceof UnusableResult,
    delaySeconds: failedPollDelay(job.row.polls, retryAfterSeconds),
  });
}
