import type { FetchDispatcher, Resolve } from './guarded-dispatcher.ts';
import { type AllowedHosts, checkUrl } from './url-policy.ts';

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

/**
 * `fetch` for addresses that a caller or a provider names. It checks them and never follows redirects: a 3xx is an
 * answer like any other. It uses no proxy and no cookies, and keeps no connection for the next call. The code that connects
 * is loaded with the first call.
 * @throws EgressRefused, or as `fetch` does, with the refusal as the cause
 */
export function createEgress(options: EgressOptions): typeof fetch {
  let dispatcher: Promise<FetchDispatcher> | undefined;
  return async (input, init = {}) => {
    const url = checkUrl(input instanceof Request ? input.url : String(input), options.allowed);
    const deadline = AbortSignal.timeout(options.deadlineMilliseconds);
    const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
    dispatcher ??= import('./guarded-dispatcher.ts').then(({ guardedDispatcher }) =>
      guardedDispatcher(options),
    );
    const guards = { redirect: 'manual', signal, dispatcher: await dispatcher } as const;
    return fetch(input instanceof Request ? input : url, { ...init, ...guards });
  };
}
