import type { ProviderCall } from './provider-gate.ts';

interface Rest {
  readonly until: number;
  /** When the latest polls of workspaces ended, where those were slow. */
  readonly slowAt: Map<string, number>;
}

/** Below that a rest would delay a provider's own jobs by far more than it spares those of others: see decision 008. */
export const SLOW_MILLISECONDS = 4_000;
/** A provider with slow polls is waited for a sixth of the time. */
export const REST_PER_WAIT = 5;
/** After a poll that took all the time that an exchange may take. */
export const LONGEST_REST_MILLISECONDS = 100_000;
/** Longer than a rest and the pause between two polls, so that only workspaces without jobs are forgotten. */
export const REMEMBERED_MILLISECONDS = 180_000;
export const COMPANY_MILLISECONDS = 60_000;

/**
 * How much of a function instance's time the polls of one provider may take. A batch waits for its slowest message, so a
 * provider that answers late would hold up the jobs of all others. After a slow poll its next ones wait five times as
 * long as that poll took, unless there are no jobs of another provider, or only of those that have to wait too. As long
 * as only one workspace has slow polls, only its own wait. Times are milliseconds since the epoch.
 */
export class SlowPolls {
  readonly #rests = new Map<string, Rest>();
  readonly #seenAt = new Map<string, number>();

  /** 0 when the call may be made, otherwise the seconds to wait. Submits do not wait, nor jobs past their deadline. */
  admit({ provider, workspaceId, kind, isOverdue }: ProviderCall, now: number): number {
    this.#seenAt.set(provider, now);
    const { slowAt } = this.#restOf(provider);
    const isConcerned = slowAt.size > 1 || slowAt.has(workspaceId);
    const mayWait = kind === 'poll' && isOverdue !== true;
    return mayWait && isConcerned && this.#hasCompany(provider, now) ? this.#waitOf(provider, now) / 1000 : 0;
  }

  /** Notes a call that has ended now, with an answer or without one. */
  took({ provider, workspaceId, kind }: ProviderCall, milliseconds: number, now: number): void {
    if (kind !== 'poll') return;
    const { slowAt } = this.#restOf(provider);
    slowAt.delete(workspaceId);
    if (milliseconds <= SLOW_MILLISECONDS) return;
    for (const [each, at] of slowAt) if (now - at > REMEMBERED_MILLISECONDS) slowAt.delete(each);
    slowAt.set(workspaceId, now);
    const rest = Math.min(LONGEST_REST_MILLISECONDS, REST_PER_WAIT * milliseconds);
    this.#rests.set(provider, { until: now + rest, slowAt });
  }

  #restOf(provider: string): Rest {
    return this.#rests.get(provider) ?? { until: 0, slowAt: new Map() };
  }

  #waitOf(provider: string, now: number): number {
    const wait = this.#restOf(provider).until - now;
    // A longer one comes of a clock that was set back.
    return wait > LONGEST_REST_MILLISECONDS ? 0 : Math.max(0, wait);
  }

  #hasCompany(provider: string, now: number): boolean {
    return [...this.#seenAt].some(
      ([other, at]) =>
        other !== provider && now - at < COMPANY_MILLISECONDS && this.#waitOf(other, now) === 0,
    );
  }
}
