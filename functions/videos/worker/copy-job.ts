import { insist } from '../../aws/retry.ts';
import { defined } from '../../defined.ts';
import { LONG_COPY } from '../../fair-shares.ts';
import { outputKey } from '../bucket-layout.ts';
import { failedPollDelay, putOffDelay } from '../jobs/cadence.ts';
import type { StoredOutput } from '../jobs/job.ts';
import { CANCELLED } from '../jobs/job-failure.ts';
import { COPY_PHASES, type JobMessage } from '../jobs/job-queue.ts';
import { ProviderError, type ProviderOutput, type ProviderState } from '../providers/provider.ts';
import { openResult, ResultUnavailable, UnusableResult } from '../results/open-result.ts';
import { atProvider, endAsTold, readState } from './advance-job.ts';
import { expireJob, MISSING_DELAY_SECONDS, mayBeStopped, wasMissing } from './cancel-upstream.ts';
import { LongCopy } from './long-copy.ts';
import { type CopyPorts, type MovingJob, moveJob } from './moving-job.ts';

/** No vendor makes more for a job. Each output is copied, kept, and listed in the job's row, whose size is limited. */
const MOST_OUTPUTS = 16;

type CopiedJob = MovingJob<CopyPorts>;
type Success = ProviderState & { readonly state: 'succeeded' };

/** How much of the function's 15 minutes one copy may take; the rest is for what comes before and after it. */
export const COPY_MILLISECONDS = 13 * 60_000;

/** Longer than the function lives, so that no other worker takes a live one's job. */
const LEASE_MILLISECONDS = 16 * 60_000;

/** For a moment a content network may serve an error page with a 200, or half a file. */
const UNUSABLE_COPIES = 3;

/** Copies what the provider made and ends the job, or puts it off until the result can be fetched. */
export const copyJob = (message: JobMessage, ports: CopyPorts): Promise<void> =>
  moveJob(message, ports, COPY_PHASES, (job) => atProvider(job, 'poll', () => copy(job)));

async function copy(job: CopiedJob): Promise<void> {
  // A result is copied however late it is. But a copy that was abandoned by then is not repeated.
  if (job.row.phase === 'copying' && job.isBeyondLastWord) return expireJob(job);
  const leaseUntil = job.ports.now().getTime() + LEASE_MILLISECONDS;
  await job.apply({ type: 'copy_begun', leaseUntil });
  const { id: jobId, workspace_id: workspaceId } = job.row;
  const owner = { jobId, workspaceId, provider: job.place.providerName, lapsesAt: leaseUntil };
  const long = new LongCopy(owner, job.ports);
  try {
    await copyNow(job, long.signal);
  } finally {
    await long.leave();
  }
}

/** @param noRoom ends the copy */
async function copyNow(job: CopiedJob, noRoom: AbortSignal): Promise<void> {
  // The addresses of results expire, and may be secret: they are asked for when they are needed, and not stored.
  const state = await readState(job);
  if (state instanceof ProviderError) {
    return mayBeStopped(job, state)
      ? afterMissing(job, state)
      : copyLater(job, state, state.retryAfterSeconds);
  }
  switch (state.state) {
    case 'succeeded':
      return complete(job, state, noRoom);
    case 'queued':
    case 'running':
      return copyLater(
        job,
        new ResultUnavailable('The provider reported the job first as finished, then as unfinished'),
      );
    default:
      return endAsTold(job, state);
  }
}

/** The provider had finished. One 404 is not believed, and a request to cancel could delete the video. */
function afterMissing(job: CopiedJob, error: ProviderError): Promise<void> {
  return wasMissing(job) ? job.settle(CANCELLED) : copyLater(job, error, MISSING_DELAY_SECONDS, true);
}

async function complete(
  job: CopiedJob,
  { outputs, costMicros }: Success,
  noRoom: AbortSignal,
): Promise<void> {
  const keptDays = await insist(() => job.ports.keptDays(job.row.workspace_id), job.ports.pause);
  const prefix = (index: number) => outputKey(job.row, keptDays, job.row.step, index);
  const copies = await copyAll(job, outputs, prefix, noRoom).catch((error: unknown) => ({ error }));
  if ('error' in copies && noRoom.aborted) return waitForRoom(job);
  if ('error' in copies) return afterFailedCopy(job, copies.error);
  await job.settle({ type: 'completed', outputs: copies, keptDays, ...defined({ costMicros }) });
  tellIfUnderpriced(job);
}

async function copyAll(
  job: CopiedJob,
  outputs: readonly ProviderOutput[],
  keyOf: (index: number) => string,
  noRoom: AbortSignal,
): Promise<StoredOutput[]> {
  if (outputs.length > MOST_OUTPUTS) {
    throw new UnusableResult(
      `The provider returned ${outputs.length} videos, but Genway accepts at most ${MOST_OUTPUTS}`,
    );
  }
  const copies: StoredOutput[] = [];
  const { downloadContext, results, pause, now } = job.ports;
  const endsAt = now().getTime() + COPY_MILLISECONDS;
  const context = await downloadContext(job.place.providerName, job.row);
  const signal = AbortSignal.any([context.signal, noRoom]);
  try {
    for (const [index, output] of outputs.entries()) {
      const body = await openResult(output, { ...context, signal, pause, endsAt });
      copies.push(await results.save(keyOf(index), body));
    }
    return copies;
  } catch (error) {
    await removeAll(job, copies);
    throw error;
  }
}

/** The next attempt writes under other keys, so nobody would ever find these. */
async function removeAll({ row, ports }: CopiedJob, copies: readonly StoredOutput[]): Promise<void> {
  try {
    await Promise.all(copies.map(({ key }) => ports.results.remove(key)));
  } catch (error) {
    ports.log.error('copies of a result remain until they expire', { job_id: row.id, error });
  }
}

/** The result is as good as before, so the job waits however late it is: its provider may have been paid. */
function waitForRoom(job: CopiedJob): Promise<void> {
  job.ports.log.info('long copy put off', { job_id: job.row.id, provider: job.place.providerName });
  return job.apply({ type: 'put_off', delaySeconds: putOffDelay(LONG_COPY.restSeconds, job.ports.random) });
}

/** The deployer pays the difference, and must know. */
function tellIfUnderpriced({ row, ports }: CopiedJob): void {
  const { id, model, cost_micros, upstream_cost_micros } = row;
  if (upstream_cost_micros === undefined) return;
  ports.countUnderpriced();
  const costs = { cost_micros, upstream_cost_micros };
  ports.log.warn('provider charged more than was held', { job_id: id, model, ...costs });
}

/** The next answer renews an address that has expired. Bytes that are not a video seldom become one. */
async function afterFailedCopy(job: CopiedJob, error: unknown): Promise<void> {
  if (error instanceof UnusableResult) {
    const isLast = job.row.unusable_copies + 1 >= UNUSABLE_COPIES;
    if (isLast) return job.settle({ type: 'failed', reason: error.message });
    return copyLater(job, error);
  }
  if (error instanceof ResultUnavailable) return copyLater(job, error, error.retryAfterSeconds);
  job.ports.log.error('result not stored', { job_id: job.row.id, error });
  return copyLater(job, new ResultUnavailable('The video could not be stored', { cause: error }));
}

function copyLater(job: CopiedJob, error: Error, retryAfterSeconds = 0, isMissing = false): Promise<void> {
  job.warn('copy failed', error);
  if (job.isBeyondLastWord) return expireJob(job);
  return job.apply({
    type: 'copy_failed',
    reason: error.message,
    isUnusable: error instanceof UnusableResult,
    isMissing,
    delaySeconds: failedPollDelay(job.row.polls, retryAfterSeconds),
  });
}
