import type { Micros } from '../../money/micros.ts';
import type { VideoEndpoint } from '../catalogue/endpoint.ts';

export const TURNS = ['first', 'usual', 'last', 'never'] as const;

/** An account at a provider that a job can run on. */
export interface ProviderAccount {
  /** By the workspace's own key. */
  readonly isByok: boolean;
  /** Whether it is tried before shared ones, with them, or after them; `never` if there is any other. */
  readonly turn: (typeof TURNS)[number];
}

/** One way to serve a request. */
export interface Candidate extends ProviderAccount {
  readonly endpoint: VideoEndpoint;
  readonly estimateMicros: Micros;
}
