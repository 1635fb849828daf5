import { MAXIMUM_RETRY_DELAY, Retry, StandardRetryStrategy } from '@smithy/core/retry';
import type { VirtualClock } from './clock.ts';

type Refresh = StandardRetryStrategy['refreshRetryTokenForRetry'];

/** The SDK's own rules for retries, with pauses in virtual time. */
export class VirtualRetries extends StandardRetryStrategy {
  readonly #clock: VirtualClock;
  readonly #random: () => number;

  constructor(maxAttempts: number, clock: VirtualClock, random: () => number) {
    super({ maxAttempts, backoff: { computeNextBackoffDelay: () => 0, setDelayBase: () => undefined } });
    this.#clock = clock;
    this.#random = random;
  }

  override refreshRetryTokenForRetry: Refresh = async (token, info) => {
    // The SDK's strategy uses a real timer, even for a pause of 0.
    const next = await this.#clock.holdFor(super.refreshRetryTokenForRetry(token, info));
    const base = info.errorType === 'THROTTLING' ? Retry.throttlingDelay() : Retry.delay();
    const longest = Math.min(base * 2 ** token.getRetryCount(), MAXIMUM_RETRY_DELAY);
    await this.#clock.wait(Math.floor(longest * this.#random()));
    return next;
  };
}
