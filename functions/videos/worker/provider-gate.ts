import type { Log } from '../../log.ts';
import { ProviderError } from '../providers/provider.ts';
import { ProviderCircuit } from './provider-circuit.ts';

export interface ProviderGatePorts {
  readonly now: () => Date;
  readonly log: Log;
}

/** Side by side, of one function instance; a stage's total is this times its number of pollers. */
const MOST_CALLS_AT_ONCE = 6;
const FULL_SECONDS = 1;

/** For a 429 that does not say when to come back. */
const DEFAULT_PAUSE_SECONDS = 5;
/** What SQS can delay; a longer wish is heard again after that. */
const LONGEST_PAUSE_SECONDS = 900;
const REMEMBERED_PAUSES = 1_000;

/**
 * What one function instance has learnt of the providers, so that it leaves one alone that is down or has
 * asked for it. Kept in memory: an instance that knows nothing finds out by a few calls of its own.
 */
export class ProviderGate {
  readonly #ports: ProviderGatePorts;
  readonly #circuits = new Map<string, ProviderCircuit>();
  readonly #calls = new Map<string, number>();
  /** By provider and workspace, because each workspace has its own key, and limits belong to keys. */
  readonly #pausedUntil = new Map<string, number>();

  constructor(ports: ProviderGatePorts) {
    this.#ports = ports;
  }

  /** 0 when a job may go to its provider now, and must `leave` it afterwards; else the seconds to wait. */
  enter(provider: string, workspaceId: string): number {
    const now = this.#ports.now().getTime();
    const paused = (this.#pausedUntil.get(`${provider} ${workspaceId}`) ?? 0) - now;
    if (paused > 0) return paused / 1000;
    const calls = this.#calls.get(provider) ?? 0;
    if (calls >= MOST_CALLS_AT_ONCE) return FULL_SECONDS;
    const wait = this.#circuit(provider).admit(now);
    if (wait === 0) this.#calls.set(provider, calls + 1);
    return wait;
  }

  leave(provider: string): void {
    this.#calls.set(provider, (this.#calls.get(provider) ?? 1) - 1);
  }

  /** Passes a call's outcome on, and learns from it. */
  async watch<T>(provider: string, workspaceId: string, call: () => Promise<T>): Promise<T> {
    try {
      const answer = await call();
      this.#circuit(provider).answered();
      return answer;
    } catch (error) {
      if (error instanceof ProviderError && !error.isOfInput) this.#learn(provider, workspaceId, error);
      throw error;
    }
  }

  #learn(provider: string, workspaceId: string, { kind, retryAfterSeconds }: ProviderError): void {
    const now = this.#ports.now().getTime();
    if (kind === 'rate_limited') this.#pause(`${provider} ${workspaceId}`, now, retryAfterSeconds);
    const circuit = this.#circuit(provider);
    const isDown = kind === 'unavailable' || kind === 'ambiguous';
    const seconds = isDown ? circuit.failed(now) : circuit.answered();
    if (seconds > 0) this.#ports.log.warn('provider is left alone', { provider, seconds });
  }

  #pause(key: string, now: number, wished = DEFAULT_PAUSE_SECONDS): void {
    if (this.#pausedUntil.size >= REMEMBERED_PAUSES) this.#pausedUntil.clear();
    this.#pausedUntil.set(key, now + Math.min(wished, LONGEST_PAUSE_SECONDS) * 1000);
  }

  #circuit(provider: string): ProviderCircuit {
    const circuit = this.#circuits.get(provider) ?? new ProviderCircuit();
    this.#circuits.set(provider, circuit);
    return circuit;
  }
}
