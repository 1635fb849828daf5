import type { AllowedHosts } from './allowed-hosts.ts';
import type { Resolve } from './guarded-connector.ts';
import type { FetchDispatcher } from './guarded-dispatcher.ts';
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

/**
 * `fetch` to addresses that a caller or a provider names: guarded, never redirected (a 3xx is an answer
 * like any other), without proxy, cookies or connections kept for the next. What connects is loaded with the first call.
 * @throws EgressRefused, or as `fetch` does with the refusal as a cause
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
