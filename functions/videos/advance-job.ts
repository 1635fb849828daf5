import { pollDelay, submitDelay } from './cadence.ts';
import { findModel, type VideoModel } from './catalogue.ts';
import { type Job, outputKey, type StoredOutput } from './job.ts';
import { type JobEvent, transition } from './job-machine.ts';
import type { JobMessage, JobQueue } from './job-queue.ts';
import { JobMoved, type JobSteps } from './job-steps.ts';
import type { JobStore } from './job-store.ts';
import { openResult } from './open-result.ts';
import { priceOf } from './price.ts';
import { providerJob } from './provider-job.ts';
import {
  type ProviderContext,
  ProviderError,
  type ProviderOutput,
  type ProviderState,
  type VideoProvider,
} from './providers/provider.ts';
import { type ResultStore, UnusableResult } from './result-store.ts';
import { type SettlePorts, settleJob } from './settle-job.ts';

export interface AdvancePorts extends SettlePorts {
  readonly jobs: Pick<JobStore, 'find'>;
  readonly steps: Pick<JobSteps, 'apply' | 'settle'>;
  readonly jobQueue: JobQueue;
  readonly results: Pick<ResultStore, 'save'>;
  readonly provider: (model: VideoModel) => VideoProvider;
  /** Fresh for each call: its signal bounds one exchange with a provider. */
  readonly providerContext: (provider: string, job: Job) => Promise<ProviderContext>;
  readonly newGenerationId: () => string;
  readonly random: () => number;
}

/** Longer than a submit may take, so that a live worker is never overtaken. */
const SUBMIT_LEASE_SECONDS = 60;

/**
 * Takes a job one step further. Whatever happens in between, repeating the message is harmless: a stale
 * one is dropped, and each step is committed under the condition that the job is as it was read.
 */
export async function advanceJob(message: JobMessage, ports: AdvancePorts): Promise<void> {
  const job = await ports.jobs.find(message.job_id);
  if (job === undefined || job.phase === 'settled' || message.seq < job.seq) return;
  try {
    await new JobWorker(job, ports).advance();
  } catch (error) {
    if (!(error instanceof JobMoved)) throw error;
    ports.log.info('another worker moved the job', { job_id: job.id });
  }
}

class JobWorker {
  #job: Job;
  readonly #ports: AdvancePorts;

  constructor(job: Job, ports: AdvancePorts) {
    this.#job = job;
    this.#ports = ports;
  }

  async advance(): Promise<void> {
    const model = findModel(this.#job.model);
    if (model === undefined) {
      return this.#settle({ type: 'failed', reason: `The model ${this.#job.model} is no longer offered` });
    }
    const now = this.#ports.now().getTime();
    if (now >= this.#job.deadline_at) {
      return this.#settle({ type: 'expired', reason: 'The provider did not finish in time' });
    }
    const provider = this.#ports.provider(model);
    if (this.#job.phase === 'polling') return this.#poll(model, provider);
    if (this.#job.phase === 'submitting') {
      // The worker that holds the lease also holds a message of its own; this one is not needed.
      if (now < this.#job.due_at) return;
      if (provider.resubmit !== 'token') return this.#settle(UNKNOWN_SUBMIT);
    }
    return this.#submit(model, provider);
  }

  async #submit(model: VideoModel, provider: VideoProvider): Promise<void> {
    const context = await this.#context(provider);
    const leaseUntil = this.#ports.now().getTime() + SUBMIT_LEASE_SECONDS * 1000;
    await this.#apply({ type: 'submit_begun', leaseUntil });
    try {
      const { ref, upstreamId } = await provider.submit(providerJob(this.#job, model), context);
      await this.#apply({
        type: 'accepted',
        ref,
        upstreamId,
        generationId: this.#ports.newGenerationId(),
        delaySeconds: pollDelay(0, undefined),
      });
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      await this.#afterFailedSubmit(error, provider);
    }
  }

  async #afterFailedSubmit(error: ProviderError, provider: VideoProvider): Promise<void> {
    this.#ports.log.warn('submit failed', {
      job_id: this.#job.id,
      provider: provider.name,
      kind: error.kind,
    });
    const mayBeSentAgain =
      error.kind === 'rate_limited' ||
      error.kind === 'unavailable' ||
      (error.kind === 'ambiguous' && provider.resubmit === 'token');
    if (mayBeSentAgain) {
      const delaySeconds = submitDelay(this.#job.submits, error.retryAfterSeconds, this.#ports.random);
      return this.#apply({ type: 'submit_deferred', delaySeconds });
    }
    return this.#settle(
      error.kind === 'ambiguous' ? UNKNOWN_SUBMIT : { type: 'failed', reason: error.message },
    );
  }

  async #poll(model: VideoModel, provider: VideoProvider): Promise<void> {
    const state = await this.#readState(provider);
    switch (state.state) {
      case 'queued':
      case 'running':
        return this.#apply({
          type: 'progressed',
          ...(state.progress === undefined ? {} : { progress: state.progress }),
          delaySeconds: pollDelay(this.#job.polls, state.retryAfterSeconds),
        });
      case 'succeeded':
        return this.#complete(state, model, provider);
      case 'expired':
        return this.#settle({ type: 'expired', reason: state.reason });
      case 'failed':
      case 'cancelled':
        return this.#settle({ type: 'failed', reason: state.reason });
    }
  }

  /** A poll that fails says nothing about the job: it is asked again until the job's deadline. */
  async #readState(provider: VideoProvider): Promise<ProviderState> {
    try {
      return await provider.poll(this.#job.ref ?? {}, await this.#context(provider));
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      this.#ports.log.warn('poll failed', {
        job_id: this.#job.id,
        provider: provider.name,
        kind: error.kind,
      });
      const { retryAfterSeconds } = error;
      return { state: 'running', ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
    }
  }

  async #complete(
    state: ProviderState & { state: 'succeeded' },
    model: VideoModel,
    provider: VideoProvider,
  ): Promise<void> {
    if (state.outputs.length === 0) {
      return this.#settle({ type: 'failed', reason: 'The provider finished without a video' });
    }
    try {
      const outputs: StoredOutput[] = [];
      for (const [index, output] of state.outputs.entries()) {
        outputs.push(await this.#save(output, outputKey(this.#job, index), provider));
      }
      const costMicros = state.costMicros ?? priceOf(this.#job.request, model);
      await this.#settle({ type: 'completed', outputs, costMicros });
    } catch (error) {
      if (!(error instanceof UnusableResult)) throw error;
      await this.#settle({ type: 'failed', reason: error.message });
    }
  }

  async #save(output: ProviderOutput, key: string, provider: VideoProvider): Promise<StoredOutput> {
    const body = await openResult(output, await this.#context(provider));
    return this.#ports.results.save(key, body);
  }

  #context(provider: VideoProvider): Promise<ProviderContext> {
    return this.#ports.providerContext(provider.name, this.#job);
  }

  /** Send, then commit: the message that continues the chain exists before the step that relies on it. */
  async #apply(event: JobEvent): Promise<void> {
    const step = transition(this.#job, event, this.#ports.now());
    if (step.next !== undefined) {
      const { seq, delaySeconds } = step.next;
      const message: JobMessage = { v: 1, job_id: this.#job.id, seq };
      await this.#ports.jobQueue.send(message, this.#job.workspace_id, delaySeconds);
    }
    await this.#ports.steps.apply(this.#job, step);
    this.#job = { ...this.#job, ...step.changes };
  }

  async #settle(event: JobEvent): Promise<void> {
    this.#job = await settleJob(this.#job, event, this.#ports);
  }
}

const UNKNOWN_SUBMIT: JobEvent = {
  type: 'failed',
  reason: 'The provider did not confirm the job, and submitting it again could bill it twice',
};
