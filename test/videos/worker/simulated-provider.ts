import {
  ProviderError,
  type ProviderState,
  type Submission,
} from '../../../functions/videos/providers/provider.ts';
import { UnusableResult } from '../../../functions/videos/results/open-result.ts';
import { linked, type Script } from './job-world.ts';

export const OUTCOMES = ['succeeded', 'empty', 'failed', 'moderated', 'expired', 'endless'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What may happen to a call. `lost_after` takes effect, and its answer gets lost. `spoilt` damages the result. */
export const FAULTS = ['none', 'lost_before', 'lost_after', 'unavailable', 'rate_limited', 'spoilt'] as const;
export type Fault = (typeof FAULTS)[number];

export interface SimulatedProviderOptions {
  readonly resubmit: 'token' | 'lookup' | 'none';
  readonly outcome: (jobId: string) => Outcome;
  readonly seconds: number;
  readonly fault: () => Fault;
  /** The `Retry-After` of a rate limit. */
  readonly retryAfterSeconds: number;
  readonly now: () => number;
}

/** A provider that remembers which jobs it has accepted, and when they will be finished. */
export class SimulatedProvider {
  /** The times at which each job was accepted. Each acceptance is billed. */
  readonly works = new Map<string, number[]>();
  readonly #options: SimulatedProviderOptions;

  constructor(options: SimulatedProviderOptions) {
    this.#options = options;
  }

  script(): Script {
    const { resubmit, fault } = this.#options;
    return {
      resubmit,
      submit: async (_, { id }) => this.#befallen(fault(), () => this.#accept(id)),
      lookup: async (id) =>
        this.#befallen(fault(), () => (this.works.has(id) ? submission(id) : ('absent' as const))),
      poll: async (_, { id }) => this.#befallen(fault(), () => this.#state(String(id))),
      download: async () => {
        const befallen = fault();
        if (befallen === 'lost_before') return new Response(null, { status: 403 });
        if (befallen === 'lost_after') throw new TypeError('fetch failed');
        return new Response('video');
      },
      judge: () => {
        if (fault() === 'spoilt') throw new UnusableResult('no video');
      },
    };
  }

  #accept(id: string): Submission {
    const earlier = this.works.get(id) ?? [];
    const isRepetition = this.#options.resubmit === 'token' && earlier.length > 0;
    if (!isRepetition) this.works.set(id, [...earlier, this.#options.now()]);
    return submission(id);
  }

  #state(id: string): ProviderState {
    const { outcome, now, seconds } = this.#options;
    const acceptedAt = this.works.get(id)?.[0] ?? Number.NaN;
    const elapsed = (now() - acceptedAt) / 1000;
    const reason = 'as it was told';
    if (elapsed < seconds) return { state: 'running', progress: (100 * elapsed) / seconds };
    switch (outcome(id)) {
      case 'succeeded':
        return linked(`https://provider.example/${id}.mp4`);
      case 'empty':
        return { state: 'succeeded', outputs: [] };
      case 'endless':
        return { state: 'running' };
      case 'moderated':
        return { state: 'failed', reason, moderated: true };
      case 'failed':
        return { state: 'failed', reason };
      case 'expired':
        return { state: 'expired', reason };
    }
  }

  #befallen<T>(fault: Fault, effect: () => T): T {
    if (fault === 'lost_before') throw new ProviderError('ambiguous', 'time-out');
    if (fault === 'unavailable') throw new ProviderError('unavailable', 'refused');
    if (fault === 'rate_limited') {
      const { retryAfterSeconds } = this.#options;
      throw new ProviderError('rate_limited', 'slow down', { retryAfterSeconds });
    }
    const answer = effect();
    if (fault === 'lost_after') throw new ProviderError('ambiguous', 'time-out');
    return answer;
  }
}

const submission = (id: string): Submission => ({ ref: { id }, upstreamId: `up-${id}` });
