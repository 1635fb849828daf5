import { isThrottlingError, isTransientError, MAXIMUM_RETRY_DELAY, Retry } from '@smithy/core/retry';
import { inTime, type Network, never, type Process, pass } from '../network.ts';
import type { JsonService } from '../service.ts';
import { ServiceError } from '../service.ts';

type SdkError = Parameters<typeof isTransientError>[0];

export interface DirectPorts {
  readonly service: JsonService;
  readonly network: Network;
  readonly process: Process;
  readonly maxAttempts: number;
  readonly random: () => number;
  /** Converts a refusal into the error of the service's client. */
  readonly errorOf: (refusal: ServiceError) => Error;
}

/** Calls a service without the SDK's layers. Requests, faults and retries are the same as with the SDK. */
export class DirectCaller {
  readonly #ports: DirectPorts;

  constructor(ports: DirectPorts) {
    this.#ports = ports;
  }

  async call(operation: string, input: unknown): Promise<object> {
    for (let retries = 0; ; retries++) {
      try {
        return await inTime(this.#send(operation, input), this.#ports.network);
      } catch (thrown) {
        const error = thrown instanceof ServiceError ? this.#ports.errorOf(thrown) : thrown;
        const pause = retries + 1 < this.#ports.maxAttempts ? longestPause(error, retries) : undefined;
        if (pause === undefined) throw error;
        await this.#ports.network.clock.wait(Math.floor(pause * this.#ports.random()));
      }
    }
  }

  #send(operation: string, input: unknown): Promise<object> {
    const { service, process } = this.#ports;
    if (!process.isAlive) return never();
    return pass(service.order(operation, input), this.#ports);
  }
}

/** The longest pause before the next attempt, as in the SDK's standard strategy. Undefined if a retry is useless. */
function longestPause(error: unknown, retries: number): number | undefined {
  if (!isSdkError(error)) return undefined;
  const isThrottling = isThrottlingError(error);
  if (!isThrottling && !isTransientError(error)) return undefined;
  const base = isThrottling ? Retry.throttlingDelay() : Retry.delay();
  return Math.min(base * 2 ** retries, MAXIMUM_RETRY_DELAY);
}

const isSdkError = (error: unknown): error is SdkError => error instanceof Error;
