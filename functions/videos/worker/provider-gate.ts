import QuickLRU from 'quick-lru';
import { MOST_CALLS_AT_ONCE } from '../../fair-shares.ts';
import type { Log } from '../../telemetry/log.ts';
import { LONGEST_DELAY_SECONDS } from '../jobs/cadence.ts';
import type { WaitReason } from '../jobs/job.ts';
import { ProviderError } from '../providers/provider.ts';
import { ProviderCircuit } from './provider-circuit.ts';
import type { SlowPolls } from './slow-polls.ts';

export interface ProviderGatePorts {
  readonly now: () => Date;
  readonly log: Log;
  /** Hears that a provider rests for so long, for one workspace or for all. */
  readonly noteRest?: (provider: string, seconds: number, workspaceId?: string) => void;
  /** Where jobs of several providers wait for each other in a batch. */
  readonly slowPolls?: SlowPolls;
}

/** A call that a job wants to make. Asking about a submit without an answer is a poll too. */
export interface ProviderCall {
  readonly kind: 'submit' | 'poll';
  readonly provider: string;
  readonly workspaceId: string;
  /** Its id. */
  readonly offer: string;
  readonly jobId: string;
  /** Past its deadline a job is asked about once more: its video may be paid for. */
  readonly isOverdue?: boolean;
}

/** Whether a call may be made: after so many seconds, and what for. */
interface Admission {
  readonly seconds: number;
  readonly reason: WaitReason;
  /** Whether those that wait come back at the same time: several slow calls at once hold up a batch no longer than one. */
  readonly isTogether?: boolean;
}

const FULL_SECONDS = 1;

const REMEMBERED_PACES = 1_000;

/**
 * What one function instance has learnt of the providers, so that one rests that is down or asks for it. Kept
 * in memory: a new instance finds out with a few calls of its own.
 */
export class ProviderGate {
  readonly #ports: ProviderGatePorts;
  /** By kind too, because a provider that takes no jobs may still answer about those that it has. */
  readonly #circuits = new Map<string, ProviderCircuit>();
  readonly #calls = new Map<string, number>();
  /** By provider, workspace and offer: each workspace has its own key, and limits concern keys and models. */
  readonly #paces = new QuickLRU<string, SubmitPace>({ maxSize: REMEMBERED_PACES });

  constructor(ports: ProviderGatePorts) {
    this.#ports = ports;
  }

  /**
   * Zero seconds when the call may be made now; the job must `leave` afterwards. Otherwise how long to wait, and why.
   */
  enter(call: ProviderCall): Admission {
    const now = this.#ports.now().getTime();
    const calls = this.#calls.get(call.provider) ?? 0;
    if (calls >= MOST_CALLS_AT_ONCE[call.kind]) return { seconds: FULL_SECONDS, reason: 'provider_busy' };
    const paced = call.kind === 'submit' ? (this.#paces.get(paceKey(call))?.admit(now) ?? 0) : 0;
    if (paced > 0) return { seconds: paced, reason: 'rate_limit' };
    const shared = this.#ports.slowPolls?.admit(call, now) ?? 0;
    if (shared > 0) return { seconds: shared, reason: 'provider_busy', isTogether: true };
    const seconds = this.#circuit(call).admit(now, call);
    if (seconds === 0) this.#calls.set(call.provider, calls + 1);
    return { seconds, reason: 'provider_resting' };
  }

  leave({ provider }: ProviderCall): void {
    this.#calls.set(provider, (this.#calls.get(provider) ?? 1) - 1);
  }

  /** Passes on the outcome of a call, and learns from it. */
  async watch<T>(call: ProviderCall, work: () => Promise<T>): Promise<T> {
    const begun = this.#ports.now().getTime();
    try {
      const answer = await work();
      this.#answered(call);
      return answer;
    } catch (error) {
      if (error instanceof ProviderError) this.#failed(call, error);
      throw error;
    } finally {
      const now = this.#ports.now().getTime();
      this.#ports.slowPolls?.took(call, now - begun, now);
    }
  }

  #answered(call: ProviderCall): void {
    this.#circuit(call).answered();
    if (call.kind === 'submit') this.#paces.delete(paceKey(call));
  }

  #failed(call: ProviderCall, { kind, retryAfterSeconds, wasAsked }: ProviderError): void {
    const now = this.#ports.now().getTime();
    if (!wasAsked) {
      this.#circuit(call).unasked(now);
    } else if (kind === 'rate_limited') {
      this.#circuit(call).answered();
      if (call.kind === 'submit') this.#pace(call).refused(call.jobId, now, retryAfterSeconds);
    } else if (kind === 'unavailable' || kind === 'ambiguous') {
      const circuit = this.#circuit(call);
      const seconds = circuit.failed(now, call);
      const { provider, kind: calls } = call;
      if (seconds === 0) return;
      this.#ports.log.warn('provider is resting', { provider, calls, seconds });
      if (calls === 'submit') this.#ports.noteRest?.(provider, seconds, circuit.workspace);
    } else {
      this.#answered(call);
    }
  }

  #pace(call: ProviderCall): SubmitPace {
    const pace = this.#paces.get(paceKey(call)) ?? new SubmitPace();
    this.#paces.set(paceKey(call), pace);
    return pace;
  }

  #circuit({ provider, kind }: ProviderCall): ProviderCircuit {
    const key = `${provider} ${kind}`;
    const circuit = this.#circuits.get(key) ?? new ProviderCircuit();
    this.#circuits.set(key, circuit);
    return circuit;
  }
}

const paceKey = ({ provider, workspaceId, offer }: ProviderCall) => `${provider} ${workspaceId} ${offer}`;

const LONGEST_PAUSE_SECONDS = 16;

/**
 * How far apart the submits of one model under one key are, from a 429 until the provider accepts one again. One
 * refused job may be the only one with the problem, and slows the others down by a second. Each further one doubles
 * that: a provider without free places refuses one job after another. Times are milliseconds since the epoch.
 */
export class SubmitPace {
  readonly #refused = new Set<string>();
  #seconds = 0;
  #nextAt = 0;

  /** 0 when a submit may go out, and then the next keeps its distance; otherwise the seconds to wait. */
  admit(now: number): number {
    if (now < this.#nextAt) return (this.#nextAt - now) / 1000;
    this.#nextAt = now + this.#seconds * 1000;
    return 0;
  }

  refused(jobId: string, now: number, wishedSeconds = 0): void {
    if (this.#seconds < LONGEST_PAUSE_SECONDS) this.#refused.add(jobId);
    this.#seconds = 2 ** (this.#refused.size - 1);
    // A wish for one job need not concern the others; a wish for two does.
    const wished = this.#refused.size > 1 ? Math.min(LONGEST_DELAY_SECONDS, wishedSeconds) : 0;
    this.#nextAt = Math.max(this.#nextAt, now + Math.max(this.#seconds, wished) * 1000);
  }
}
