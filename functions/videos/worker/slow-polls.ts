import type { ProviderCall } from './provider-gate.ts';

type Poll = Pick<ProviderCall, 'provider' | 'workspaceId'>;

interface Rest {
  until: number;
  /** The workspaces whose latest polls were slow. */
  readonly workspaces: Set<string>;
}

const SLOW_MILLISECONDS = 2_000;
/** A provider with slow polls is waited for a sixth of the time. */
const REST_PER_WAIT = 5;
const COMPANY_MILLISECONDS = 60_000;

/**
 * How much of a function instance's time the polls of one provider may take. A batch waits for its slowest message, so a
 * provider that answers late would hold up the jobs of all others. After a slow poll its next ones wait five times as
 * long as that poll took, unless there are no jobs of another provider, or only of those that have to wait too. As long
 * as only one workspace has slow polls, only its own wait. Times are milliseconds since the epoch.
 */
export class SlowPolls {
  readonly #rests = new Map<string, Rest>();
  readonly #seenAt = new Map<string, number>();

  /** Notes that a provider has jobs. */
  seen(provider: string, now: number): void {
    this.#seenAt.set(provider, now);
  }

  /** 0 when the provider may be polled, otherwise the seconds to wait. */
  admit({ provider, workspaceId }: Poll, now: number): number {
    const rest = this.#rests.get(provider);
    const concerns = rest !== undefined && (rest.workspaces.size > 1 || rest.workspaces.has(workspaceId));
    return concerns && this.#hasCompany(provider, now) ? this.#waitOf(provider, now) / 1000 : 0;
  }

  /** Notes a poll that has ended now, with an answer or without one. */
  took({ provider, workspaceId }: Poll, milliseconds: number, now: number): void {
    const rest = this.#rests.get(provider) ?? { until: 0, workspaces: new Set() };
    if (milliseconds <= SLOW_MILLISECONDS) {
      rest.workspaces.delete(workspaceId);
      return;
    }
    rest.until = now + REST_PER_WAIT * milliseconds;
    rest.workspaces.add(workspaceId);
    this.#rests.set(provider, rest);
  }

  #waitOf(provider: string, now: number): number {
    return Math.max(0, (this.#rests.get(provider)?.until ?? 0) - now);
  }

  #hasCompany(provider: string, now: number): boolean {
    return [...this.#seenAt].some(
      ([other, at]) =>
        other !== provider && now - at < COMPANY_MILLISECONDS && this.#waitOf(other, now) === 0,
    );
  }
}
