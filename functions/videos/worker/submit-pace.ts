import { LONGEST_DELAY_SECONDS } from './cadence.ts';

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
