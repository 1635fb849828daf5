import { defined } from '../../defined.ts';
import { afterDiscount } from '../../money/discount.ts';
import type { RetentionDays } from '../../retention-days.ts';
import type { ProviderRef } from '../providers/provider.ts';
import { type Failure, failures } from './failure-kind.ts';
import type { Job, StoredOutput } from './job.ts';
import type { WaitReason } from './job-wait.ts';
import { nextPlace } from './next-place.ts';

/**
 * The life of a job: every event that can happen to it, in which phases it may happen, and what it
 * changes. Pure; the store applies a step under the condition that the job is still as it was read.
 */
export type JobEvent =
  /** A worker is about to send the submit; until `leaseUntil` nobody else may. */
  | { readonly type: 'submit_begun'; readonly leaseUntil: number }
  | {
      readonly type: 'accepted';
      readonly ref: ProviderRef;
      readonly upstreamId: string;
      readonly generationId: string;
      readonly delaySeconds: number;
    }
  /** Nothing was accepted for certain, or it may safely be sent again: there, and nowhere else. */
  | {
      readonly type: 'submit_deferred';
      readonly delaySeconds: number;
      readonly mayBeTaken: boolean;
      readonly waitingFor?: WaitReason;
    }
  /** Nothing was accepted for certain, and nothing will be: the job goes on to its next place. */
  | {
      readonly type: 'moved';
      readonly reason: string;
      /** It has no business there any more, now or later. */
      readonly isForGood: boolean;
      readonly delaySeconds: number;
      /** Absent where it waits for nothing. */
      readonly waitingFor?: WaitReason;
    }
  /** Nothing was learnt; the job stands where it stood, until later. */
  | { readonly type: 'put_off'; readonly delaySeconds: number; readonly waitingFor?: WaitReason }
  | { readonly type: 'progressed'; readonly progress?: number; readonly delaySeconds: number }
  /** The provider is done. */
  | { readonly type: 'made'; readonly delaySeconds: number }
  /** A worker is about to copy the result; until `leaseUntil` nobody else need. */
  | { readonly type: 'copy_begun'; readonly leaseUntil: number }
  /** What the provider made could not be had or kept: it is asked again, for fresh addresses. */
  | {
      readonly type: 'copy_failed';
      readonly reason: string;
      readonly isUnusable: boolean;
      readonly delaySeconds: number;
    }
  | {
      readonly type: 'completed';
      readonly outputs: StoredOutput[];
      readonly keptDays: RetentionDays;
      /** What the provider says it cost. @default the estimate */
      readonly costMicros?: number;
    }
  | {
      readonly type: 'failed';
      readonly reason: string;
      readonly moderated?: boolean;
      /** @default the provider's */
      readonly failure?: Failure;
    }
  | { readonly type: 'expired'; readonly reason: string }
  | {
      readonly type: 'cancelled';
      readonly reason: string;
      /** What the provider says that it cost all the same. @default nothing */
      readonly costMicros?: number;
    };

export interface Step {
  readonly changes: Partial<Job> & { readonly step: string };
  /** The message that keeps the chain alive. */
  readonly next?: { readonly seq: number; readonly link: string; readonly delaySeconds: number };
  /**
   * Most steps are committed after their message is sent: a crash in between repeats work and loses none. What
   * a provider has accepted is known to nobody else, so it is written before anything else is tried. So is a step
   * whose message is due at once: its reader would find the job as it was before, and drop it.
   */
  readonly commitsFirst: boolean;
}

export class IllegalTransition extends Error {
  override readonly name = 'IllegalTransition';
}

/** How long an ended job can still be asked for. */
export const ROW_DAYS = 90;

const LEGAL: Readonly<Record<JobEvent['type'], readonly Job['phase'][]>> = {
  // From `submitting` too: a submit whose outcome is unknown is begun again where that is safe.
  submit_begun: ['queued', 'submitting'],
  accepted: ['submitting'],
  submit_deferred: ['submitting'],
  moved: ['queued', 'submitting'],
  put_off: ['queued', 'submitting', 'polling', 'made', 'copying'],
  progressed: ['polling'],
  made: ['polling'],
  // From `copying` too: a copy that was left is begun again.
  copy_begun: ['made', 'copying'],
  copy_failed: ['copying'],
  completed: ['copying'],
  failed: ['queued', 'submitting', 'polling', 'made', 'copying'],
  expired: ['queued', 'submitting', 'polling', 'made', 'copying'],
  cancelled: ['queued', 'submitting', 'polling', 'made', 'copying'],
};

/**
 * @param name of the step, never used before
 * @throws IllegalTransition when the event cannot happen in the job's phase
 */
export function transition(job: Job, event: JobEvent, now: Date, name: string): Step {
  const { changes, delaySeconds } = stepOf(job, event, now);
  const seq = job.seq + 1;
  return {
    changes: {
      ...changes,
      ...milestone(job, event, changes, now),
      ...waiting(job, event, changes.due_at),
      step: name,
      sweeps: 0,
      ...(delaySeconds === undefined ? {} : { seq, link: name }),
    },
    ...(delaySeconds === undefined ? {} : { next: { seq, link: name, delaySeconds } }),
    commitsFirst: event.type === 'accepted' || delaySeconds === 0,
  };
}

/** Written where it changes: most steps of most jobs wait for nothing but the provider's work. */
function waiting(job: Job, event: JobEvent, dueAt = job.due_at): Partial<Job> {
  const reason = 'waitingFor' in event ? event.waitingFor : undefined;
  if (reason !== undefined) return { waiting_for: { reason, until: new Date(dueAt).toISOString() } };
  return job.waiting_for ? { waiting_for: null } : {};
}

function milestone(job: Job, event: JobEvent, { status, error }: Partial<Job>, now: Date): Partial<Job> {
  const at = now.toISOString();
  const { provider, endpoint } = job;
  const where = defined({ provider, endpoint });
  if (event.type === 'moved') {
    if (job.tried === true) return {};
    return { history: [...job.history, { at, status: job.status, ...where, detail: event.reason }] };
  }
  if (status === undefined || status === job.status) return {};
  const who = event.type === 'accepted' ? where : {};
  return { history: [...job.history, { at, status, ...who, ...defined({ detail: error }) }] };
}

/** What an event changes, and in how many seconds the job is to be looked at again. */
interface Outcome {
  readonly changes: Partial<Job>;
  readonly delaySeconds?: number;
}

/** A case for each event. It reads better whole, as the table of what each event makes of a job. */
function stepOf(job: Job, event: JobEvent, now: Date): Outcome {
  if (!LEGAL[event.type].includes(job.phase)) {
    throw new IllegalTransition(`${event.type} cannot happen to a job that is ${job.phase}`);
  }
  const updated_at = now.toISOString();
  switch (event.type) {
    case 'submit_begun':
      return {
        changes: {
          phase: 'submitting',
          submits: job.submits + 1,
          due_at: Math.min(event.leaseUntil, job.deadline_at),
          updated_at,
          // The submit before this one was begun and has left no answer: it may have been taken.
          ...(job.phase === 'submitting' ? { alternatives: [] } : {}),
        },
      };
    case 'accepted': {
      const { ref, upstreamId, generationId } = event;
      const changes = { ref, upstream_id: upstreamId, generation_id: generationId };
      return scheduled(job, event, now, { ...changes, phase: 'polling', status: 'in_progress' });
    }
    case 'submit_deferred':
      return scheduled(job, event, now, {
        phase: 'queued',
        ...(event.mayBeTaken ? { alternatives: [] } : {}),
      });
    case 'moved':
      return scheduled(job, event, now, { phase: 'queued', ...nextPlace(job, event.isForGood) });
    case 'put_off':
      return scheduled(job, event, now, job.phase === 'copying' ? { phase: 'made' } : {});
    case 'progressed':
      return scheduled(job, event, now, { polls: job.polls + 1, ...forward(job, event.progress) });
    case 'made':
      return scheduled(job, event, now, { phase: 'made' });
    case 'copy_begun':
      return { changes: { phase: 'copying', due_at: event.leaseUntil, updated_at } };
    case 'copy_failed':
      return scheduled(job, event, now, {
        phase: 'made',
        polls: job.polls + 1,
        copy_error: event.reason,
        unusable_copies: job.unusable_copies + (event.isUnusable ? 1 : 0),
      });
    case 'completed':
      return settled(now, {
        status: 'completed',
        outputs: event.outputs,
        kept_days: event.keptDays,
        ...chargeFor(job, event.costMicros),
        progress: 100,
      });
    case 'failed':
    case 'expired':
    case 'cancelled':
      return settled(now, {
        status: event.type,
        error: event.reason,
        error_kind: failureOf(event),
        ...('costMicros' in event ? chargeFor(job, event.costMicros) : {}),
      });
  }
}

/** Past its deadline a job is asked after for so long: what is finished and paid for is not thrown away. */
export const LAST_WORD_MILLISECONDS = 5 * 60_000;

/** No link of the chain is later than the deadline, so that one is there to see it pass. */
function scheduled(job: Job, event: { delaySeconds: number }, now: Date, changes: Partial<Job>): Outcome {
  const isOverdue = now.getTime() >= job.deadline_at;
  const end = job.deadline_at + (isOverdue ? LAST_WORD_MILLISECONDS : 0);
  const secondsLeft = Math.max(0, Math.ceil((end - now.getTime()) / 1000));
  const delaySeconds = Math.min(event.delaySeconds, secondsLeft);
  const due_at = now.getTime() + delaySeconds * 1000;
  return { changes: { ...changes, due_at, updated_at: now.toISOString() }, delaySeconds };
}

function settled(now: Date, changes: Partial<Job>): Outcome {
  const at = now.toISOString();
  const expires_at = Math.floor(now.getTime() / 1000) + ROW_DAYS * 86_400;
  return { changes: { ...changes, phase: 'settled', completed_at: at, updated_at: at, expires_at } };
}

function failureOf(event: JobEvent & { readonly type: 'failed' | 'expired' | 'cancelled' }): Failure {
  if (event.type === 'cancelled') return failures.cancelled;
  if (event.type === 'expired') return failures.timeout;
  return event.failure ?? (event.moderated ? failures.moderation : failures.provider);
}

/**
 * A limit is a limit: what a provider asks above what was held for the job is not the caller's to pay. What a
 * discount takes off the price, it takes off what the provider says too.
 */
function chargeFor(job: Job, reported?: number): Partial<Job> {
  const { estimate_micros: held, is_byok, data_discount = 0 } = job;
  if (reported === undefined) return { cost_micros: held };
  const cost = is_byok ? reported : afterDiscount(reported, data_discount);
  if (cost <= held) return { cost_micros: cost };
  return { cost_micros: held, upstream_cost_micros: reported };
}

/** Providers' progress sometimes falls back; what a caller has seen never does. */
function forward(job: Job, progress: number | undefined): Partial<Job> {
  if (progress === undefined || progress <= (job.progress ?? 0)) return {};
  return { progress: Math.min(99, Math.floor(progress)) };
}
