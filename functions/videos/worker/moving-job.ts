import * as v from 'valibot';
import { insistently } from '../../aws/retry.ts';
import { type LeavePorts, stepOrLeave } from '../../sweeping/swept-rows.ts';
import type { RetentionDays } from '../../workspaces/retention-days.ts';
import type { CallbackAddress } from '../callbacks/callback-address.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Offer } from '../catalogue/offer.ts';
import type { RequestedVideo } from '../catalogue/requested-video.ts';
import type { Job } from '../jobs/job.ts';
import { failures } from '../jobs/job-failure.ts';
import { LAST_WORD_MILLISECONDS, type Step, transition } from '../jobs/job-machine.ts';
import type { JobMessage, QueueOf } from '../jobs/job-queue.ts';
import { JobMoved, type JobSteps, type SettlePorts, settleJob } from '../jobs/job-steps.ts';
import type { JobStore } from '../jobs/job-store.ts';
import type { JobEvent } from '../jobs/lifecycle.ts';
import { type ProviderContext, ProviderError, type VideoProvider } from '../providers/provider.ts';
import type { ResultStore } from '../results/result-store.ts';
import type { Figures } from '../routing/figures.ts';
import type { LongCopyPorts } from './long-copy.ts';
import type { ProviderCall, ProviderGate } from './provider-gate.ts';
import { withoutPrompt } from './without-prompt.ts';

export interface PlacePorts {
  readonly catalogue: () => Promise<Catalogue>;
  /** By the provider's name. */
  readonly provider: (name: string) => VideoProvider;
}

/** What every step of a job needs. */
export interface MovingPorts extends SettlePorts, PlacePorts {
  readonly jobs: Pick<JobStore, 'find' | 'requestOf'>;
  readonly steps: Pick<JobSteps, 'apply' | 'maySpend' | 'settle'>;
  readonly queueOf: QueueOf;
  /** A new one for each call: its signal limits one exchange with a provider. */
  readonly providerContext: (provider: string, job: Job) => Promise<ProviderContext>;
  /** Shared by all jobs of a function instance. */
  readonly gate: ProviderGate;
  /** @default no provider is asked to call back */
  readonly callbackUrl?: CallbackAddress | undefined;
  /** How offers have done, so that those are known whose providers call back. @default nothing is known */
  readonly figures?: () => Promise<(offer: Offer) => Figures>;
  /** Notes how the job did at its offer. */
  readonly noteEnd: (job: Job) => void;
  /** Counts a call that a provider refused because of a key that is the stage's own. */
  readonly countRefusedKey: (provider: string) => void;
  readonly random: () => number;
  readonly pause: (milliseconds: number) => Promise<void>;
}

export interface CopyPorts extends MovingPorts, LongCopyPorts {
  readonly results: Pick<ResultStore, 'save' | 'remove'>;
  /** How long a workspace wants its videos kept. */
  readonly keptDays: (workspaceId: string) => Promise<RetentionDays>;
  /** Like `providerContext`, but its signal limits a whole copy. */
  readonly downloadContext: (provider: string, job: Job) => Promise<ProviderContext>;
  /** Counts a job that cost more at its provider than was held for it. */
  readonly countUnderpriced: () => void;
}

export type TakeMessagePorts = MovingPorts & LeavePorts;

/** Takes a job a step further, or leaves it to the sweeper. */
export const takeMessage = <Ports extends TakeMessagePorts>(
  message: JobMessage,
  ports: Ports,
  step: (message: JobMessage, ports: Ports) => Promise<void>,
): Promise<void> => stepOrLeave(message.job_id, () => step(message, ports), ports);

/**
 * Does the step that a message asks for, if the job is in one of these phases. A message may be repeated at any time:
 * an old one is dropped, and each step is committed only if the job has not changed since it was read.
 */
export async function moveJob<Ports extends MovingPorts>(
  message: JobMessage,
  given: Ports,
  phases: readonly Job['phase'][],
  step: (job: MovingJob<Ports>) => Promise<void>,
): Promise<void> {
  const ports = insistentPorts(given);
  const job = await ports.jobs.find(message.job_id);
  if (job === undefined || isStale(message, job) || !phases.includes(job.phase)) return;
  try {
    const place = await placeOf(job, ports);
    if (place === undefined) {
      const reason = `The endpoint ${job.endpoint ?? job.model} is no longer offered`;
      await settleJob(job, { type: 'failed', reason, failure: failures.refusal }, ports);
    } else if (!isLeased(job, ports.now())) {
      const polls = Math.max(job.polls, message.polls ?? 0);
      // A hint ends the link that it comes upon, so that the chain's own message is stale.
      const due_at = message.hint === undefined ? job.due_at : ports.now().getTime();
      await step(new MovingJob({ ...job, polls, due_at }, place, ports));
    }
  } catch (error) {
    if (!(error instanceof JobMoved)) throw error;
    ports.log.info('another worker moved the job', { job_id: job.id });
    // That worker may have asked the provider just before the end that the hint tells of.
    if (message.hint !== undefined) return moveJob(message, given, phases, step);
  }
}

/** Of several messages for one link only the one committed with it may act, so copies end here. */
function isStale({ seq, link, hint }: JobMessage, job: Job): boolean {
  if (hint !== undefined) return job.phase !== 'polling' || job.submits !== hint;
  return seq < job.seq || (seq === job.seq && link !== undefined && link !== job.link);
}

/**
 * Whether another worker may be busy with the job; then it will send a message of its own, and this one is not needed.
 * Only the step that takes the lease sends none. After any other step the job has nobody but its message.
 */
function isLeased({ phase, step, link, sweeps, due_at, leased_until = 0 }: Job, now: Date): boolean {
  const isBegun = (phase === 'submitting' || phase === 'copying') && (step === '' || step !== link);
  // In rows of older versions the lease ends at `due_at`, until a sweep has put that off.
  const until = Math.max(leased_until, sweeps === 0 ? due_at : 0);
  return isBegun && now.getTime() < until;
}

/**
 * A worker asks AWS for longer than AWS's clients do. If it gave up, its job would wait minutes for the sweeper. Each
 * write may be repeated, because it recognises its own step.
 */
function insistentPorts<Ports extends MovingPorts>(ports: Ports): Ports {
  const { jobs, steps, queueOf, eventQueue, pause } = ports;
  const insisting = insistently(pause);
  return {
    ...ports,
    jobs: {
      find: insisting((id) => jobs.find(id)),
      requestOf: insisting((job) => jobs.requestOf(job)),
    },
    steps: {
      apply: insisting((job, step) => steps.apply(job, step)),
      maySpend: insisting((job, at) => steps.maySpend(job, at)),
      settle: insisting((job, step, event) => steps.settle(job, step, event)),
    },
    queueOf: (phase) => ({ send: insisting((...message) => queueOf(phase).send(...message)) }),
    eventQueue: { send: insisting((...message) => eventQueue.send(...message)) },
  };
}

/** Where a job is. */
export interface JobPlace {
  readonly providerName: string;
  readonly provider: VideoProvider;
  /** Undefined where the offer has been removed since. A job that its provider has taken is polled all the same. */
  readonly offer: Offer | undefined;
}

/** Undefined where neither the job nor the catalogue names a provider. */
export async function placeOf(
  job: Pick<Job, 'model' | 'endpoint' | 'provider'>,
  { catalogue, provider }: PlacePorts,
): Promise<JobPlace | undefined> {
  const offer = (await catalogue()).offerOf(job);
  const providerName = job.provider ?? offer?.provider;
  return providerName === undefined ? undefined : { providerName, provider: provider(providerName), offer };
}

const UNREADABLE = 'The provider’s message is omitted because it may quote the prompt';

/** A job in the hands of one worker. Its events happen one by one, and `row` is always as the latest has left it. */
export class MovingJob<Ports extends MovingPorts = MovingPorts> {
  readonly place: JobPlace;
  readonly ports: Ports;
  #row: Job;
  #request: Promise<RequestedVideo> | undefined;

  constructor(row: Job, place: JobPlace, ports: Ports) {
    this.#row = row;
    this.place = place;
    this.ports = ports;
  }

  get provider(): VideoProvider {
    return this.place.provider;
  }

  get row(): Job {
    return this.#row;
  }

  get isOverdue(): boolean {
    return this.ports.now().getTime() >= this.#row.deadline_at;
  }

  /** Nothing is waited for any more, neither the provider's answer nor its video. */
  get isBeyondLastWord(): boolean {
    return this.ports.now().getTime() >= this.#row.deadline_at + LAST_WORD_MILLISECONDS;
  }

  context(): Promise<ProviderContext> {
    return this.ports.providerContext(this.place.providerName, this.#row);
  }

  call(kind: ProviderCall['kind']): ProviderCall {
    const { id, workspace_id, model, endpoint: offer = model } = this.#row;
    const { isOverdue } = this;
    const { providerName: provider } = this.place;
    return { kind, provider, workspaceId: workspace_id, offer, jobId: id, isOverdue };
  }

  /** Makes one call to the provider; the gate learns the outcome. */
  async ask<T>(kind: ProviderCall['kind'], work: () => Promise<T>): Promise<T> {
    try {
      return await this.ports.gate.watch(this.call(kind), work);
    } catch (error) {
      const isOfKey = error instanceof ProviderError && error.kind === 'credential';
      if (isOfKey && !this.#row.is_byok) this.ports.countRefusedKey(this.place.providerName);
      throw error instanceof ProviderError ? await this.#withoutPrompt(error) : error;
    }
  }

  /** What is asked of the provider; it is read once. */
  request(): Promise<RequestedVideo> {
    this.#request ??= this.ports.jobs.requestOf(this.#row);
    return this.#request;
  }

  /** A vendor's words, without those of the prompt: they end in the log, in the row and in a webhook. */
  async told(said: string): Promise<string> {
    try {
      return withoutPrompt(said, (await this.request()).prompt);
    } catch (error) {
      if (error instanceof v.ValiError) return UNREADABLE;
      throw error;
    }
  }

  async #withoutPrompt(error: ProviderError): Promise<ProviderError> {
    // Only a provider that was asked can quote what it was asked.
    const message = error.wasAsked ? await this.told(error.message) : error.message;
    return message === error.message ? error : new ProviderError(error.kind, message, error);
  }

  /**
   * Sends first and commits then: the message that continues the chain exists before the step that relies on it. For a
   * step that commits first, the sweeper finds the job if its message cannot be sent. A quiet step is only its message.
   * @throws JobMoved when another worker was faster
   */
  async apply(event: JobEvent): Promise<void> {
    const { steps } = this.ports;
    const step = transition(this.#row, event, this.ports.now(), this.ports.newStepName());
    if (!step.commitsFirst) await this.#send(step);
    if (!step.isQuiet) await steps.apply(this.#row, step);
    if (step.commitsFirst) await this.#send(step);
    this.#row = { ...this.#row, ...step.changes };
  }

  /** Leaves the step to the consumers of another queue. */
  passOn(message: JobMessage): Promise<void> {
    const { phase, workspace_id } = this.#row;
    return this.ports.queueOf(phase).send(message, workspace_id, 0);
  }

  async #send({ next, changes }: Step): Promise<void> {
    if (next === undefined) return;
    const { delaySeconds, ...link } = next;
    const message: JobMessage = { v: 1, job_id: this.#row.id, ...link };
    const queue = this.ports.queueOf(changes.phase ?? this.#row.phase);
    await queue.send(message, this.#row.workspace_id, delaySeconds);
  }

  /** @throws JobMoved when another worker was faster */
  async settle(event: JobEvent): Promise<void> {
    this.#row = await settleJob(this.#row, event, this.ports);
    this.ports.noteEnd(this.#row);
  }

  warn(message: string, error: Error): void {
    this.ports.log.warn(message, {
      job_id: this.#row.id,
      provider: this.place.providerName,
      is_byok: this.#row.is_byok,
      error: error.name,
      kind: error instanceof ProviderError ? error.kind : undefined,
      reason: error.message,
    });
  }
}
