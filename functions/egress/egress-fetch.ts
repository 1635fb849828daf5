import { Agent } from 'undici';
import type { AllowedHosts } from './allowed-hosts.ts';
import { guardedConnector, type Resolve, systemResolve } from './guarded-connector.ts';
import { checkUrl } from './url-policy.ts';

export interface EgressOptions {
  readonly allowed: AllowedHosts;
  /** The limit of the whole exchange, body included. */
  readonly deadlineMilliseconds: number;
  /** How long nothing may come, before the answer and within its body. @default the limit of the exchange */
  readonly silenceMilliseconds?: number;
  /** For name, connection and TLS. @default 5,000 */
  readonly connectMilliseconds?: number;
  /** @default the system's resolver */
  readonly resolve?: Resolve;
  readonly ca?: string;
}

/** Node.js types its `fetch` by its own copy of undici's declarations, which TypeScript does not accept as undici's. */
type FetchDispatcher = NonNullable<RequestInit['dispatcher']>;

/**
 * `fetch` for addresses that a caller or a provider names. It checks them and never follows redirects: a 3xx is an
 * answer like any other. It uses no proxy and no cookies, and keeps no connection for the next call.
 * @throws EgressRefused, or as `fetch` does, with the refusal as the cause
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
