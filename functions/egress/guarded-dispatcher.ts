import { Agent } from 'undici';
import { defined } from '../defined.ts';
import type { EgressOptions } from './egress-fetch.ts';
import { guardedConnector, systemResolve } from './guarded-connector.ts';

/** Node.js types its `fetch` by a copy of undici's declarations, which TypeScript cannot unify with undici's own. */
export type FetchDispatcher = NonNullable<RequestInit['dispatcher']>;

/** Connects `fetch` to what may be called, and to nothing else. */
export function guardedDispatcher(options: EgressOptions): FetchDispatcher {
  const silenceMilliseconds = options.silenceMilliseconds ?? options.deadlineMilliseconds;
  return new Agent({
    connect: guardedConnector({
      allowed: options.allowed,
      resolve: options.resolve ?? systemResolve,
      connectMilliseconds: options.connectMilliseconds ?? 5_000,
      ...defined({ ca: options.ca }),
    }),
    pipelining: 0,
    headersTimeout: silenceMilliseconds,
    bodyTimeout: silenceMilliseconds,
  }) as unknown as FetchDispatcher;
}
