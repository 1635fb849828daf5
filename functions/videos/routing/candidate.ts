import type { VideoEndpoint } from '../catalogue/endpoint.ts';

export const TURNS = ['first', 'usual', 'last', 'never'] as const;

/** An account at a provider that a job can run on. */
export interface ProviderAccount {
  /** The workspace's own, by the key that it has stored. */
  readonly isByok: boolean;
  /** Whether it comes before what is shared, with it, or after it; `never` where there is anything else. */
  readonly turn: (typeof TURNS)[number];
}

/** One way to have a request done. */
export interface Candidate extends ProviderAccount {
  readonly endpoint: VideoEndpoint;
  /** Micro-dollars. */
  readonly estimateMicros: number;
}
