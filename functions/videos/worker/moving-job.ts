import type { RetentionDays } from '../../retention-days.ts';
import type { Job } from '../jobs/job.ts';
import { type Step, transition } from '../jobs/job-machine.ts';
import { LAST_WORD_MILLISECONDS } from '../jobs/job-outcome.ts';
import type { JobMessage, QueueOf } from '../jobs/job-queue.ts';
import type { JobSteps } from '../jobs/job-steps.ts';
import type { JobStore } from '../jobs/job-store.ts';
import type { JobEvent } from '../jobs/lifecycle.ts';
import { type SettlePorts, settleJob } from '../jobs/settle-job.ts';
import { type ProviderContext, ProviderError, type VideoProvider } from '../providers/provider.ts';
import type { ResultStore } from '../results/result-store.ts';
import type { JobPlace, PlacePorts } from './job-place.ts';
import type { ProviderCall, ProviderGate } from './provider-gate.ts';

/** What every step of a job needs. */
export interface MovingPorts extends SettlePorts, PlacePorts {
  readonly jobs: Pick<JobStore, 'find' | 'requestOf'>;
  readonly steps: Pick<JobSteps, 'apply' | 'settle'>;
  readonly queueOf: QueueOf;
  /** A new one for each call: its signal limits one exchange with a provider. */
  readonly providerContext: (provider: string, job: Job) => Promise<ProviderContext>;
  /** Shared by all jobs of a function instance. */
  readonly gate: ProviderGate;
  /** Notes how the job did at its endpoint. */
  readonly noteEnd: (job: Job) => void;
  /** Counts a call that a provider refused because of a key that is the stage's own. */
  readonly countRefusedKey: (provider: string) => void;
  readonly random: () => number;
  readonly pause: (milliseconds: number) => Promise<void>;
}

export interface CopyPorts extends MovingPorts {
  readonly results: Pick<ResultStore, 'save'>;
  /** How long a workspace wants its videos kept. */
  readonly keptDays: (workspaceId: string) => Promise<RetentionDays>;
  /** Like `providerContext`, but its signal limits a whole copy. */
  readonly downloadContext: (provider: string, job: Job) => Promise<ProviderContext>;
  /** Counts a job that cost more at its provider than was held for it. */
  readonly countUnderpriced: () => void;
}

/** A job in the hands of one worker. Its events are committed one by one, and `row` is always as last committed. */
export class MovingJob<Ports extends MovingPorts = MovingPorts> {
  readonly place: JobPlace;
  readonly ports: Ports;
  #row: Job;

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
    const { id, workspace_id, model, endpoint = model } = this.#row;
    const { isOverdue } = this;
    const { providerName: provider } = this.place;
    return { kind, provider, workspaceId: workspace_id, endpoint, jobId: id, isOverdue };
  }

  /** Makes one call to the provider; the gate learns the outcome. */
  async ask<T>(kind: ProviderCall['kind'], work: () => Promise<T>): Promise<T> {
    try {
      return await this.ports.gate.watch(this.call(kind), work);
    } catch (error) {
      const isOfKey = error instanceof ProviderError && error.kind === 'credential';
      if (isOfKey && !this.#row.is_byok) this.ports.countRefusedKey(this.place.providerName);
      throw error;
    }
  }

  /**
   * Sends first and commits then: the message that continues the chain exists before the step that relies on it. For a
   * step that commits first, the sweeper finds the job if its message cannot be sent.
   * @throws JobMoved when another worker was faster
   */
  async apply(event: JobEvent): Promise<void> {
    const { steps } = this.ports;
    const step = transition(this.#row, event, this.ports.now(), this.ports.newStepName());
    if (!step.commitsFirst) await this.#send(step);
    await steps.apply(this.#row, step);
    if (step.commitsFirst) await this.#send(step);
    this.#row = { ...this.#row, ...step.changes };
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
    const isModerated = event.type === 'failed' && event.moderated === true;
    if (!isModerated) this.ports.noteEnd(this.#row);
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
