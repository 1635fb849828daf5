/** This many failures in a row, with no answer in between, begin a rest. */
const FAILURES = 5;
const FIRST_REST_SECONDS = 15;
const LONGEST_REST_SECONDS = 240;
/** Longer than a call may take; then the next call is the trial. */
const TRIAL_SECONDS = 30;

interface Caller {
  readonly workspaceId: string;
  readonly jobId: string;
}

/**
 * Whether a provider answers at all. After five failures in a row it rests. Then one call tries it, and if that fails
 * too, it rests twice as long as before. Jobs may fail for reasons of their own, so one that has not failed yet need not
 * wait for longer than the first rest to be the trial. Times are milliseconds since the epoch.
 *
 * It rests for all workspaces only when more than one of them got no answer. Some vendors fetch a request's inputs
 * before they answer, so one caller's slow address looks like a vendor that is down. A trial that fails concerns its own
 * workspace, until another gets no answer again.
 */
export class ProviderCircuit {
  #failures = 0;
  #restsUntil = 0;
  #failedAt = 0;
  #isOnTrial = false;
  /** The jobs whose calls have failed since the last answer: while the provider rests, a trial adds one at most. */
  readonly #jobs = new Set<string>();
  /** The workspaces whose calls have failed, since the last trial that did. */
  readonly #workspaces = new Set<string>();

  /** The only one that the rest concerns; undefined where it concerns everybody. */
  get workspace(): string | undefined {
    const [first, second] = this.#workspaces;
    return second === undefined ? first : undefined;
  }

  /** 0 when a call may be made, otherwise the seconds to wait. While one call is the trial, the others wait for it. */
  admit(now: number, { workspaceId, jobId }: Caller): number {
    if (this.#failures < FAILURES || !this.#concerns(workspaceId)) return 0;
    const isFresh = !this.#isOnTrial && !this.#jobs.has(jobId);
    const from = isFresh ? this.#failedAt + FIRST_REST_SECONDS * 1000 : this.#restsUntil;
    if (now < from) return (from - now) / 1000;
    this.#isOnTrial = true;
    this.#restsUntil = now + TRIAL_SECONDS * 1000;
    return 0;
  }

  /** A refusal is an answer too. */
  answered(): 0 {
    this.#failures = 0;
    this.#restsUntil = 0;
    this.#isOnTrial = false;
    this.#jobs.clear();
    this.#workspaces.clear();
    return 0;
  }

  /** A call that was not made after all. If it was the trial, the next call is. */
  unasked(now: number): void {
    if (this.#isOnTrial) this.#restsUntil = now;
    this.#isOnTrial = false;
  }

  /** The seconds of a rest that begins now, or concerns others from now on; 0 where there is none. */
  failed(now: number, { workspaceId, jobId }: Caller): number {
    this.#jobs.add(jobId);
    // Or one caller's trials would keep it resting for others whose calls have failed once.
    if (this.#isOnTrial) this.#workspaces.clear();
    const wasAlone = this.workspace;
    this.#workspaces.add(workspaceId);
    if (now < this.#restsUntil && !this.#isOnTrial) {
      // Calls that were under way when the rest began say nothing new, but where it now concerns everybody.
      return wasAlone === this.workspace ? 0 : (this.#restsUntil - now) / 1000;
    }
    this.#failures++;
    this.#failedAt = now;
    this.#isOnTrial = false;
    if (this.#failures < FAILURES) return 0;
    const seconds = Math.min(LONGEST_REST_SECONDS, FIRST_REST_SECONDS * 2 ** (this.#failures - FAILURES));
    this.#restsUntil = now + seconds * 1000;
    return seconds;
  }

  #concerns(workspaceId: string): boolean {
    return this.workspace === undefined || this.workspace === workspaceId;
  }
}
