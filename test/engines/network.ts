import type { HttpHandler, HttpHandlerOptions, HttpRequest, HttpResponse } from '@smithy/core/protocols';
import {
  INITIAL_RETRY_TOKENS,
  MAXIMUM_RETRY_DELAY,
  NO_RETRY_INCREMENT,
  Retry,
  type StandardRetryStrategy,
} from '@smithy/core/retry';
import type { VirtualClock } from './clock.ts';
import { type Call, type Fault, type FaultPlan, faultsOf, type Journal } from './faults.ts';
import { type Order, type Service, ServiceError } from './service.ts';

/** A process that calls AWS and may die. The calls of a dead process never end, so it does nothing more. */
export class Process {
  readonly name: string;
  isAlive = true;
  readonly #death = Promise.withResolvers<Call | undefined>();
  /** Resolves with the call at which the process died, if it was at one. */
  readonly crashed = this.#death.promise;

  constructor(name: string) {
    this.name = name;
  }

  crash(at?: Call): void {
    this.isAlive = false;
    this.#death.resolve(at);
  }
}

export const never = (): Promise<never> => new Promise(() => undefined);

/** The network between callers and services. */
export interface Network {
  readonly clock: VirtualClock;
  readonly random: () => number;
  readonly faults: FaultPlan;
  /** The time of a call and its answer together, in milliseconds. */
  readonly latency: (call: Call) => number;
  /** How long a caller waits for an answer, in milliseconds. @default for ever */
  readonly requestTimeout?: number | undefined;
  readonly journal: Journal;
}

/**
 * Replaces the SDK's HTTP handler, and lets the planned faults happen on the way. The rest of the SDK runs as usual: it
 * writes requests, reads answers and errors, and retries.
 */
export class EngineHandler implements HttpHandler {
  readonly #service: Service;
  readonly #network: Network;
  readonly #process: Process;

  constructor(service: Service, network: Network, process: Process) {
    this.#service = service;
    this.#network = network;
    this.#process = process;
  }

  async handle(
    request: HttpRequest,
    { abortSignal }: HttpHandlerOptions = {},
  ): Promise<{ response: HttpResponse }> {
    const answered = this.#inTime(this.#send(request));
    return { response: await (abortSignal ? Promise.race([answered, abortion(abortSignal)]) : answered) };
  }

  updateHttpClientConfig(key: never): void {
    throw new Error(`The way to an engine has no setting ${key}`);
  }

  httpHandlerConfigs(): object {
    return {};
  }

  /** @throws an error like that of the SDK's own handler */
  #inTime<T>(answered: Promise<T>): Promise<T> {
    const { requestTimeout, clock } = this.#network;
    if (requestTimeout === undefined) return answered;
    return new Promise((resolve, reject) => {
      const stop = clock.ringIn(requestTimeout, () =>
        reject(Object.assign(new Error(`No answer within ${requestTimeout} ms`), { name: 'TimeoutError' })),
      );
      answered.then(resolve, reject).finally(stop);
    });
  }

  /** One request and its answer. @throws an error like that of the SDK's own handler */
  async #send(request: HttpRequest): Promise<HttpResponse> {
    if (!this.#process.isAlive) return never();
    const order = await this.#service.read(request);
    const { clock, latency, journal, faults } = this.#network;
    const { operation, input } = order;
    const call = journal.note({ service: this.#service.name, operation, process: this.#process.name, input });
    const fault = possible(faults(call), call);
    const milliseconds = latency(call);
    await clock.wait(milliseconds / 2);
    if (fault === 'hang') return never();
    if (fault === 'crash before') return this.#die(call);
    const answer = await this.#answer(order, fault);
    if (fault === 'crash after') return this.#die(call);
    if (fault === 'answer hangs') return never();
    if (fault === 'answer lost') {
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    }
    await clock.wait(milliseconds / 2);
    return this.#process.isAlive ? answer : never();
  }

  #die(at: Call): Promise<never> {
    this.#process.crash(at);
    return never();
  }

  /** Performs the call. A refusal is an answer too: it takes as long, and may get lost. */
  async #answer(order: Order, fault: Fault | undefined): Promise<HttpResponse> {
    try {
      if (fault === 'error') throw new ServiceError('InternalServerError', 'Internal server error', 500);
      if (fault === 'throttled') throw this.#service.throttling;
      return await order.perform(fault);
    } catch (error) {
      if (error instanceof ServiceError) return this.#service.refuse(error);
      throw error;
    }
  }
}

function possible(fault: Fault | undefined, call: Call): Fault | undefined {
  if (fault === undefined || faultsOf(call).includes(fault)) return fault;
  throw new Error(`${call.service} ${call.operation} cannot have the fault "${fault}"`);
}

function abortion(signal: NonNullable<HttpHandlerOptions['abortSignal']>): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(Object.assign(new Error('Request aborted'), { name: 'AbortError' }));
    if (signal.aborted) abort();
    else signal.onabort = abort;
  });
}

type Refresh = StandardRetryStrategy['refreshRetryTokenForRetry'];
type Token = Awaited<ReturnType<Refresh>>;

/**
 * The SDK's standard rules for retries and their quota, with pauses in virtual time. The SDK's own class waits for a real
 * timer, even for a pause of 0.
 */
export class VirtualRetries
  implements
    Pick<StandardRetryStrategy, 'acquireInitialRetryToken' | 'refreshRetryTokenForRetry' | 'recordSuccess'>
{
  readonly #maxAttempts: number;
  readonly #network: Pick<Network, 'clock' | 'random'>;
  #capacity = INITIAL_RETRY_TOKENS;

  constructor(maxAttempts: number, network: Pick<Network, 'clock' | 'random'>) {
    this.#maxAttempts = maxAttempts;
    this.#network = network;
  }

  acquireInitialRetryToken = async (): Promise<Token> => tokenOf(0, undefined);

  /** @throws an error if the call is not repeated */
  refreshRetryTokenForRetry: Refresh = async (token, { errorType }) => {
    const isThrottled = errorType === 'THROTTLING';
    const cost = isThrottled ? Retry.throttlingCost() : Retry.cost();
    const retries = token.getRetryCount() + 1;
    const mayPass = isThrottled || errorType === 'TRANSIENT';
    if (!mayPass || retries >= this.#maxAttempts || this.#capacity < cost) throw new Error('No retry');
    this.#capacity -= cost;
    const { clock, random } = this.#network;
    const base = isThrottled ? Retry.throttlingDelay() : Retry.delay();
    await clock.wait(Math.floor(Math.min(base * 2 ** token.getRetryCount(), MAXIMUM_RETRY_DELAY) * random()));
    return tokenOf(retries, cost);
  };

  recordSuccess(token: Token): void {
    const regained = token.getRetryCost() ?? NO_RETRY_INCREMENT;
    this.#capacity = Math.min(INITIAL_RETRY_TOKENS, this.#capacity + regained);
  }
}

const tokenOf = (retries: number, cost: number | undefined): Token => ({
  getRetryCount: () => retries,
  getRetryDelay: () => 0,
  getRetryCost: () => cost,
});
