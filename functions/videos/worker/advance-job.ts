import { defined } from '../../defined.ts';
import { failedPollDelay, nextPollDelay, putOffDelay } from '../jobs/cadence.ts';
import type { Job } from '../jobs/job.ts';
import { CANCELLED, jobFailure } from '../jobs/job-failure.ts';
import { type JobMessage, SUBMIT_PHASES } from '../jobs/job-queue.ts';
import { ProviderError, type ProviderState } from '../providers/provider.ts';
import {
  cancelUpstream,
  endMissing,
  expireJob,
  MISSING_DELAY_SECONDS,
  mayBeStopped,
  tooLate,
  wasMissing,
  watched,
} from './cancel-upstream.ts';
import { type MovingJob, type MovingPorts, moveJob } from './moving-job.ts';
import type { ProviderCall } from './provider-gate.ts';
import { type SubmitPorts, withinSubmitShare } from './share-store.ts';
import { endOfClosedKey, mayStillSpend, moveOn, resumeSubmit, submitQueued } from './submit-job.ts';

/** Takes a job one step further, until its provider has made the video. */
export const advanceJob = (message: JobMessage, ports: SubmitPorts): Promise<void> =>
  moveJob(message, ports, STEPS, (job) =>
    isToBeSubmitted(job) ? withinSubmitShare(job, () => advance(job)) : advance(job),
  );

/**
 * Polls a job that its provider has. Versions without submitters sent the pollers the other jobs too; those are passed
 * on.
 */
export const pollJob = (message: JobMessage, ports: MovingPorts): Promise<void> =>
  moveJob(message, ports, STEPS, (job) => (isToBeSubmitted(job) ? job.passOn(message) : advance(job)));

const STEPS: readonly Job['phase'][] = [...SUBMIT_PHASES, 'polling'];
const isToBeSubmitted = ({ row }: MovingJob) => SUBMIT_PHASES.includes(row.phase);

function advance(job: MovingJob): Promise<void> {
  const canBeAsked = canBeAskedAbout(job);
  if (job.isOverdue && !canBeAsked && !canBeFound(job)) return expireJob(job);
  return atProvider(job, canBeAsked ? 'poll' : 'submit', () => step(job));
}

/** The provider has the job, or can say whether it has. After the deadline it is asked once more: the video may be paid for. */
const canBeAskedAbout = ({ row, provider }: MovingJob) =>
  row.phase === 'polling' || (row.phase === 'submitting' && provider.manners.resubmit === 'lookup');

/**
 * Sent again under the same token, a submit that was never answered tells what has become of it. After the deadline that
 * is done once.
 */
const canBeFound = ({ row, provider, isBeyondLastWord }: MovingJob) =>
  provider.manners.resubmit === 'token' &&
  (row.phase === 'submitting' || row.may_be_taken === true) &&
  !isBeyondLastWord;

async function step(job: MovingJob): Promise<void> {
  switch (job.row.phase) {
    case 'queued':
      return submitQueued(job);
    case 'submitting':
      return resumeSubmit(job);
    case 'polling':
      return ask(job);
  }
}

/** How long a job waits for a provider before it goes elsewhere. */
const PATIENCE_SECONDS = 1;

const hasUntriedPlace = ({ row }: MovingJob): boolean =>
  row.phase === 'queued' && row.alternatives.some(({ tried }) => tried !== true);

/** Does one step at the job's provider, or puts it off while the provider rests. */
export async function atProvider(
  job: MovingJob,
  kind: ProviderCall['kind'],
  step: () => Promise<void>,
): Promise<void> {
  const { gate, random } = job.ports;
  const call = job.call(kind);
  const { seconds, reason, isTogether } = gate.enter(call);
  if (seconds > 0) {
    if (job.isBeyondLastWord) return expireJob(job);
    if (seconds > PATIENCE_SECONDS && hasUntriedPlace(job)) {
      return moveOn(job, {
        reason:
          reason === 'rate_limit' ? 'The provider’s rate limit has been reached' : 'The provider is resting',
        isForGood: false,
        waitingFor: reason,
      });
    }
    if (job.row.phase === 'queued' && !(await mayStillSpend(job))) return endOfClosedKey(job);
    // A job that its provider has is under way, however late it is polled.
    const waitingFor = ['polling', 'made', 'copying'].includes(job.row.phase) ? {} : { waitingFor: reason };
    const delaySeconds = putOffDelay(seconds, isTogether === true ? () => 0 : random);
    return job.apply({ type: 'put_off', delaySeconds, ...waitingFor });
  }
  try {
    await step();
  } finally {
    gate.leave(call);
  }
}

type StateOf<Name extends ProviderState['state']> = Extract<ProviderState, { readonly state: Name }>;

/** Asks the provider how far a job is, and acts on the answer. After its deadline a job is asked about once more. */
async function ask(job: MovingJob): Promise<void> {
  const state = await readState(job);
  if (state instanceof ProviderError) {
    return mayBeStopped(job, state) ? afterMissing(job, state) : afterFailedPoll(job, state);
  }
  switch (state.state) {
    case 'queued':
    case 'running':
      return goOn(job, state);
    case 'succeeded':
      if (state.outputs.length > 0) return job.apply({ type: 'made', delaySeconds: 0 });
      return job.settle({ type: 'failed', reason: 'The provider finished without a video' });
    default:
      return endAsTold(job, state);
  }
}

/** How far the job is, in the provider's words. */
export async function readState(job: MovingJob): Promise<ProviderState | ProviderError> {
  try {
    const context = await job.context();
    return await job.ask('poll', () => job.provider.poll(job.row.ref ?? {}, context));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    job.warn('poll failed', error);
    return error;
  }
}

/** Ends a job that has failed at its provider. */
export async function endAsTold(
  job: MovingJob,
  state: StateOf<'failed' | 'cancelled' | 'expired'>,
): Promise<void> {
  const reason = await job.told(state.reason);
  switch (state.state) {
    case 'expired':
      return job.settle({ type: 'expired', reason });
    case 'cancelled': {
      const { costMicros } = state;
      if (!(await wasWished(job))) return job.settle(jobFailure(reason, false));
      return job.settle({ ...CANCELLED, ...defined({ costMicros }) });
    }
    case 'failed':
      return job.settle(jobFailure(reason, state.moderated === true));
  }
}

/** The wish may be newer than the row that was read. It is always older than the request to the provider. */
async function wasWished({ row, ports }: MovingJob): Promise<boolean> {
  const newest = row.cancel_requested_at === undefined ? await ports.jobs.find(row.id) : row;
  return newest?.cancel_requested_at !== undefined;
}

/** A failed poll says nothing about the job: it is polled again, even for a while after the deadline. */
function afterFailedPoll(job: MovingJob, error: ProviderError): Promise<void> {
  if (job.isBeyondLastWord) return expireJob(job, error);
  const { retryAfterSeconds } = error;
  return job.apply({ type: 'progressed', delaySeconds: failedPollDelay(job.row.polls, retryAfterSeconds) });
}

/** The provider may have forgotten the job because it has stopped it. One poll alone is not believed. */
async function afterMissing(job: MovingJob, error: ProviderError): Promise<void> {
  if (wasMissing(job)) return endMissing(job);
  if (job.isBeyondLastWord) return expireJob(job, error);
  const delaySeconds = failedPollDelay(job.row.polls, MISSING_DELAY_SECONDS);
  return job.apply({ type: 'progressed', isMissing: true, delaySeconds });
}

async function goOn(job: MovingJob, state: StateOf<'queued' | 'running'>): Promise<void> {
  const { row } = job;
  const isWished = row.cancel_requested_at !== undefined;
  if (isWished && (await cancelUpstream(row, watched(job), state)) === 'cancelled')
    return job.settle(CANCELLED);
  if (isOutOfTime(job)) return isWished ? job.settle(tooLate(row)) : expireJob(job, state);
  const { progress, retryAfterSeconds } = state;
  return job.apply({
    type: 'progressed',
    ...defined({ progress }),
    delaySeconds: nextPollDelay(row, retryAfterSeconds),
  });
}

/** Work that was accepted after the deadline, or found then, is paid for. It gets as long as a last answer. */
const isOutOfTime = ({ row, isOverdue, isBeyondLastWord }: MovingJob): boolean => {
  const isLate = ({ status, at }: Job['history'][number]) =>
    status === 'in_progress' && Date.parse(at) >= row.deadline_at;
  return row.history.some(isLate) ? isBeyondLastWord : isOverdue;
};
