import { isOverload } from '../../aws/overload.ts';
import type { RetentionDays } from '../../retention-days.ts';
import { outputKey } from '../bucket-layout.ts';
import type { StoredOutput } from '../jobs/job.ts';
import type { ProviderOutput, ProviderState } from '../providers/provider.ts';
import { openResult, ResultUnavailable } from '../results/open-result.ts';
import { UnusableResult } from '../results/result-store.ts';
import { pollDelay } from './cadence.ts';
import { expireJob } from './expire-job.ts';
import type { MovingJob } from './moving-job.ts';

/** A content network may serve an error page under 200, or half a file, for a moment. */
const UNUSABLE_COPIES = 3;

/** Copies what the provider made and ends the job, or puts it off until what was made can be had. */
export async function completeJob(
  job: MovingJob,
  { outputs, costMicros }: ProviderState & { state: 'succeeded' },
): Promise<void> {
  if (outputs.length === 0) {
    return job.settle({ type: 'failed', reason: 'The provider finished without a video' });
  }
  const keptDays = await job.ports.keptDays(job.row.workspace_id);
  const copies = await copyAll(job, outputs, keptDays).catch((error) => {
    if (error instanceof UnusableResult || error instanceof ResultUnavailable) return error;
    if (isOverload(error)) return new ResultUnavailable('The video could not be stored', { cause: error });
    throw error;
  });
  if (copies instanceof Error) {
    job.warn('copy failed', copies);
    return afterFailedCopy(job, copies);
  }
  const cost = costMicros === undefined ? {} : { costMicros };
  await job.settle({ type: 'completed', outputs: copies, keptDays, ...cost });
  tellIfUnderpriced(job);
}

/** The deployer bears the difference, and must hear of it. */
function tellIfUnderpriced({ row, ports }: MovingJob): void {
  const { id, model, cost_micros, upstream_cost_micros } = row;
  if (upstream_cost_micros === undefined) return;
  ports.countUnderpriced();
  const costs = { cost_micros, upstream_cost_micros };
  ports.log.warn('provider charged more than was held', { job_id: id, model, ...costs });
}

async function copyAll(
  job: MovingJob,
  outputs: readonly ProviderOutput[],
  keptDays: RetentionDays,
): Promise<StoredOutput[]> {
  const copies: StoredOutput[] = [];
  const attempt = job.ports.newStepName();
  for (const [index, output] of outputs.entries()) {
    const body = await openResult(output, await job.context());
    copies.push(await job.ports.results.save(outputKey(job.row, keptDays, attempt, index), body));
  }
  return copies;
}

/** An address that has expired is renewed by the next poll; bytes that are no video seldom become one. */
function afterFailedCopy(job: MovingJob, error: UnusableResult | ResultUnavailable): Promise<void> {
  const { polls, unusable_copies } = job.row;
  const reason = error.message;
  const isUnusable = error instanceof UnusableResult;
  if (isUnusable && unusable_copies + 1 >= UNUSABLE_COPIES) return job.settle({ type: 'failed', reason });
  if (job.isBeyondLastWord) return expireJob(job);
  return job.apply({ type: 'copy_failed', reason, isUnusable, delaySeconds: pollDelay(polls, undefined) });
}
