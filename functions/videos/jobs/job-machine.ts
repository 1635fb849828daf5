import { defined } from '../../defined.ts';
import { afterDiscount, type Micros } from '../../money/micros.ts';
import { linkSeconds } from './cadence.ts';
import { type Alternative, type Job, ROW_DAYS } from './job.ts';
import { type Failure, failures } from './job-failure.ts';
import type { JobMessage } from './job-queue.ts';
import { type JobEvent, LEGAL } from './lifecycle.ts';

/** What an event changes in a job. Pure. The store writes a step only if the job has not changed since it was read. */
export interface Step {
  readonly changes: Partial<Job> & { readonly step: string };
  /** The message that keeps the chain going. */
  readonly next?: Omit<JobMessage, 'v' | 'job_id'> & { readonly delaySeconds: number };
  /** Its message says all that changes, so the row is not written. */
  readonly isQuiet: boolean;
  /**
   * Most steps are committed after their message is sent: a crash in between repeats work and loses none. But only we
   * know what a provider has accepted, so that is written before anything else is tried. The same goes for a step whose
   * message is due at once: its reader would find the job as it was before, and drop the message.
   */
  readonly commitsFirst: boolean;
}

export class IllegalTransition extends Error {
  override readonly name = 'IllegalTransition';
}

/**
 * @param name of the step, never used before
 * @throws IllegalTransition when the event cannot happen in the job's phase
 */
export function transition(job: Job, event: JobEvent, now: Date, name: string): Step {
  if (!LEGAL[event.type].includes(job.phase)) {
    throw new IllegalTransition(`${event.type} cannot happen to a job that is ${job.phase}`);
  }
  const { changes, delaySeconds, poll = 'last of its link' } = outcomeOf(job, event, now);
  const isLast = poll === 'last of its link';
  const link = isLast ? { seq: job.seq + 1, link: name } : { seq: job.seq, link: job.link };
  const counted = isLast ? {} : { polls: changes.polls ?? job.polls };
  return {
    changes: {
      ...changes,
      ...milestone(job, event, changes, now),
      ...waiting(job, event, changes.due_at),
      step: name,
      sweeps: 0,
      ...(delaySeconds === undefined ? {} : link),
    },
    ...(delaySeconds === undefined ? {} : { next: { ...link, ...counted, delaySeconds } }),
    isQuiet: poll === 'quiet',
    commitsFirst: event.type === 'accepted' || delaySeconds === 0,
  };
}

/** Written only when it changes: in most steps a job waits for nothing but the provider's work. */
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

/** How long a job is still polled after its deadline: what is finished and paid for is not thrown away. */
export const LAST_WORD_MILLISECONDS = 5 * 60_000;

/** What an event changes, and in how many seconds the job is looked at again. */
interface Outcome {
  readonly changes: Partial<Job>;
  readonly delaySeconds?: number;
  /** A poll that is not the last of its link leaves the chain as it is. It is quiet where it has learnt nothing either. */
  readonly poll?: 'last of its link' | 'quiet' | 'telling';
}
type Scheduled = Outcome & { readonly delaySeconds: number };

/** A case for each event. It reads better whole, as the table of what each event makes of a job. */
function outcomeOf(job: Job, event: JobEvent, now: Date): Outcome {
  const updated_at = now.toISOString();
  switch (event.type) {
    case 'submit_begun':
      return {
        changes: {
          phase: 'submitting',
          submits: job.submits + 1,
          // Those of an earlier submit say nothing about this one.
          ...(job.callbacks === undefined ? {} : { callbacks: 0 }),
          ...leased(job, Math.min(event.leaseUntil, job.deadline_at)),
          updated_at,
          // The submit before this one was begun and never answered: the provider may have taken it.
          ...(job.phase === 'submitting' ? { alternatives: [] } : {}),
          ...(event.mayBeTaken === true ? { may_be_taken: true } : {}),
        },
      };
    case 'accepted':
      return accepted(job, event, now);
    case 'submit_deferred':
      return scheduled(job, event, now, {
        phase: 'queued',
        submit_error: event.reason,
        ...(event.mayBeTaken ? { alternatives: [], may_be_taken: true } : {}),
      });
    case 'moved':
      return scheduled(job, event, now, { phase: 'queued', ...nextPlace(job, event.isForGood) });
    case 'put_off':
      // A result is copied however late it is, so its message need not come back before the deadline. Its copy began with
      // an answer of the provider.
      if (job.phase === 'copying')
        return inSeconds(event.delaySeconds, now, { phase: 'made', ...polled(job) });
      return job.phase === 'polling' ? polledOn(job, event, now, {}) : scheduled(job, event, now, {});
    case 'progressed':
      return polledOn(job, event, now, { ...polled(job, event), ...forward(job, event.progress) });
    case 'made':
      return scheduled(job, event, now, { phase: 'made', ...polled(job) });
    case 'copy_begun':
      return { changes: { phase: 'copying', ...leased(job, event.leaseUntil), updated_at } };
    case 'copy_failed':
      return scheduled(job, event, now, {
        phase: 'made',
        ...polled(job, event),
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

function accepted(job: Job, event: JobEvent & { readonly type: 'accepted' }, now: Date): Outcome {
  const { ref, upstreamId: upstream_id, generationId: generation_id, callsBack } = event;
  const called = { ref, upstream_id, generation_id, ...defined({ calls_back: callsBack }) };
  const next = scheduled(job, event, now, { ...called, phase: 'polling', status: 'in_progress' });
  if (callsBack !== 'reliably') return next;
  // The provider will call: a message that a crash has lost need not be looked for before that.
  return { ...next, changes: { ...next.changes, due_at: endOfLink({ ...job, ...called }, next, now) } };
}

/** The sweeper leaves the job alone until then, and looks at it then at the latest. */
const leased = ({ due_at }: Job, until: number): Partial<Job> => ({
  leased_until: until,
  ...(due_at > until ? { due_at: until } : {}),
});

/** No message is delayed beyond the deadline, so that one arrives to notice it. */
function scheduled(job: Job, event: { delaySeconds: number }, now: Date, changes: Partial<Job>): Scheduled {
  return inSeconds(Math.min(event.delaySeconds, secondsLeft(job, now)), now, changes);
}

function secondsLeft({ deadline_at }: Job, now: Date): number {
  const isOverdue = now.getTime() >= deadline_at;
  const end = deadline_at + (isOverdue ? LAST_WORD_MILLISECONDS : 0);
  return Math.max(0, Math.ceil((end - now.getTime()) / 1000));
}

/** What callers see of a provider’s progress between two links, in percent. */
const SHOWN_PROGRESS = 10;

/** Between two links `due_at` is the time by which the last poll of the first has come. */
function polledOn(job: Job, event: { delaySeconds: number }, now: Date, changes: Partial<Job>): Outcome {
  const next = scheduled(job, event, now, changes);
  if (isLastOfLink(job, next, now)) {
    return { ...next, changes: { ...next.changes, due_at: endOfLink(job, next, now) } };
  }
  const { due_at: _, ...told } = next.changes;
  const shown = (progress = 0) => Math.floor(progress / SHOWN_PROGRESS);
  const isQuiet = shown(told.progress) <= shown(job.progress);
  return { ...next, changes: told, poll: isQuiet ? 'quiet' : 'telling' };
}

function endOfLink(job: Job, { delaySeconds }: Scheduled, now: Date): number {
  const seconds = Math.min(linkSeconds(job), secondsLeft(job, now));
  return now.getTime() + Math.max(delaySeconds, seconds) * 1000;
}

/**
 * Of a job that is to be cancelled each poll is, because two answers in a row may end it. Where the next poll was to come
 * later than a link lasts, one that comes before gives the job its usual pace.
 */
function isLastOfLink(job: Job, { delaySeconds }: Scheduled, now: Date): boolean {
  const left = job.due_at - now.getTime();
  const isOver = left < delaySeconds * 1000 || left > linkSeconds(job) * 1000;
  return isOver || job.sweeps > 0 || job.cancel_requested_at !== undefined;
}

function inSeconds(delaySeconds: number, now: Date, changes: Partial<Job>): Scheduled {
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
 * The caller never pays more than was held for the job, whatever the provider charges. A discount on the price applies
 * to the provider's charge too.
 */
function chargeFor(job: Job, reported?: Micros): Partial<Job> {
  const { estimate_micros: held, is_byok, data_discount = 0 } = job;
  if (reported === undefined) return { cost_micros: held };
  const cost = is_byok ? reported : afterDiscount(reported, data_discount);
  if (cost <= held) return { cost_micros: cost };
  return { cost_micros: held, upstream_cost_micros: reported };
}

/** Every answer counts, so that `missing_in_poll` is equal to `polls` for as long as there was none since. */
function polled({ polls }: Job, { isMissing = false }: { isMissing?: boolean } = {}): Partial<Job> {
  return { polls: polls + 1, ...(isMissing ? { missing_in_poll: polls + 1 } : {}) };
}

/** A provider's progress sometimes goes backwards; what callers see never does. */
function forward(job: Job, progress: number | undefined): Partial<Job> {
  if (progress === undefined || progress <= (job.progress ?? 0)) return {};
  return { progress: Math.min(99, Math.floor(progress)) };
}

/**
 * The changes that send a job on to its next place, when its provider has certainly not taken it. It comes back to the
 * place that it leaves after all others, unless it must not come back.
 */
export function nextPlace(job: Job, isForGood: boolean): Partial<Job> {
  const [next, ...rest] = job.alternatives;
  if (next === undefined) return {};
  const { tried = false, ...place } = next;
  return { ...place, tried, alternatives: [...rest, ...(isForGood ? [] : placeLeft(job))] };
}

function placeLeft({ endpoint, provider, estimate_micros, is_byok }: Job): Alternative[] {
  if (endpoint === undefined || provider === undefined) return [];
  return [{ endpoint, provider, estimate_micros, is_byok, tried: true }];
}
