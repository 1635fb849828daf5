import { Agent } from 'undici';
import type { AllowedHosts } from './allowed-hosts.ts';
import { guardedConnector, type Resolve, systemResolve } from './guarded-connector.ts';
import { checkUrl } from './url-policy.ts';

export interface EgressOptions {
  readonly allowed: AllowedHosts;
  /** One bound over the whole exchange, body included. */
  readonly deadlineMilliseconds: number;
  /** For how long nothing may come, before the answer as well as within its body. @default as long as the exchange may take */
  readonly silenceMilliseconds?: number;
  /** @default 5,000: name, connection and TLS */
  readonly connectMilliseconds?: number;
  /** @default the system's resolver */
  readonly resolve?: Resolve;
  readonly ca?: string;
}

/** Node.js types its `fetch` by a copy of undici's declarations, which TypeScript cannot unify with undici's own. */
type FetchDispatcher = NonNullable<RequestInit['dispatcher']>;

/**
 * `fetch` to addresses that a caller or a provider names: guarded, never redirected (a 3xx is an answer
 * like any other), without proxy, cookies or connections kept for the next.
 * @throws EgressRefused, or as `fetch` does with the refusal as a cause
 */
export function createEgress(options: EgressOptions): typeof fetch {
  const dispatcher = new Agent({
    connect: guardedConnector({
      allowed: options.allowed,
      resolve: options.resolve ?? systemResolve,
      connectMilliseconds: options.connectMilliseconds ?? 5_000,
      ...(options.ca === undefined ? {} : { ca: options.ca }),
    }),
    pipelining: 0,
    headersTimeout: options.silenceMilliseconds ?? options.deadlineMilliseconds,
    bodyTimeout: options.silenceMilliseconds ?? options.deadlineMilliseconds,
  }) as unknown as FetchDispatcher;
  return async (input, init = {}) => {
    const url = checkUrl(input instanceof Request ? input.url : String(input), options.allowed);
    const deadline = AbortSignal.timeout(options.deadlineMilliseconds);
    const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
    return fetch(input instanceof Request ? input : url, { ...init, redirect: 'manual', signal, dispatcher });
  };
}
