import { defined } from '../../defined.ts';
import type { Job } from './job.ts';
import { outcomeOf } from './job-outcome.ts';
import { type JobEvent, LEGAL } from './lifecycle.ts';

/** What an event changes in a job. Pure. The store writes a step only if the job has not changed since it was read. */
export interface Step {
  readonly changes: Partial<Job> & { readonly step: string };
  /** The message that keeps the chain going. */
  readonly next?: { readonly seq: number; readonly link: string; readonly delaySeconds: number };
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
  const { changes, delaySeconds } = outcomeOf(job, event, now);
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
