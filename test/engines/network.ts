import type { HttpHandler, HttpHandlerOptions, HttpRequest, HttpResponse } from '@smithy/core/protocols';
import { MAXIMUM_RETRY_DELAY, Retry, StandardRetryStrategy } from '@smithy/core/retry';
import type { VirtualClock } from './clock.ts';
import { type Call, type Fault, type FaultPlan, faultsOf, type Journal } from './faults.ts';
import { type Order, type Service, ServiceError } from './service.ts';

/** A process that calls AWS and may die. The calls of a dead process never end, so it does nothing more. */
export class Process {
  readonly name: string;
  /** Resolves with the call at which the process died, if it was at one. */
  readonly crashed: Promise<Call | undefined>;
  readonly crash: (at?: Call) => void;
  isAlive = true;

  constructor(name: string) {
    this.name = name;
    const { promise, resolve } = Promise.withResolvers<Call | undefined>();
    this.crashed = promise;
    this.crash = (at) => {
      this.isAlive = false;
      resolve(at);
    };
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

/** The service, the calling process, and the network between them. */
export interface Passage {
  readonly service: Pick<Service, 'name' | 'throttling'>;
  readonly network: Network;
  readonly process: Process;
}

/**
 * One request to a service and its answer, with all faults on the way.
 * @throws ServiceError for a refusal, or an error like those of the SDK's own handler
 */
export async function pass<Answer>(order: Order<Answer>, { service, network, process }: Passage) {
  const { clock, latency, journal } = network;
  const { operation, input } = order;
  const call = journal.note({ service: service.name, operation, process: process.name, input });
  const fault = faultOf(call, network);
  const milliseconds = latency(call);
  await clock.wait(milliseconds / 2);
  if (fault === 'hang') return never();
  if (fault === 'crash before') return die(process, call);
  const outcome = await effect(order, fault, service);
  if (fault === 'crash after') return die(process, call);
  if (fault === 'answer hangs') return never();
  if (fault === 'answer lost') {
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  }
  await clock.wait(milliseconds / 2);
  if (!process.isAlive) return never();
  if ('refusal' in outcome) throw outcome.refusal;
  return outcome.answer;
}

function faultOf(call: Call, { faults }: Network): Fault | undefined {
  const fault = faults(call);
  if (fault === undefined || faultsOf(call).includes(fault)) return fault;
  throw new Error(`${call.service} ${call.operation} cannot have the fault "${fault}"`);
}

/** Performs the call. A refusal is an answer too: it takes as long, and may get lost. */
async function effect<Answer>(
  order: Order<Answer>,
  fault: Fault | undefined,
  { throttling }: Passage['service'],
): Promise<{ readonly answer: Answer } | { readonly refusal: ServiceError }> {
  try {
    if (fault === 'error') throw new ServiceError('InternalServerError', 'Internal server error', 500);
    if (fault === 'throttled') throw throttling;
    return { answer: await order.perform(fault) };
  } catch (refusal) {
    if (refusal instanceof ServiceError) return { refusal };
    throw refusal;
  }
}

function die(process: Process, call: Call): Promise<never> {
  process.crash(call);
  return never();
}

/** @throws an error like that of the SDK's own handler */
export function inTime<T>(answered: Promise<T>, { requestTimeout, clock }: Network): Promise<T> {
  if (requestTimeout === undefined) return answered;
  return new Promise((resolve, reject) => {
    const stop = clock.ringIn(requestTimeout, () =>
      reject(Object.assign(new Error(`No answer within ${requestTimeout} ms`), { name: 'TimeoutError' })),
    );
    answered.then(resolve, reject).finally(stop);
  });
}

/**
 * Replaces the SDK's HTTP handler. The rest of the SDK runs as usual: it writes requests, reads answers and errors, and
 * retries.
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
    const answered = inTime(this.#send(request), this.#network);
    return { response: await (abortSignal ? Promise.race([answered, abortion(abortSignal)]) : answered) };
  }

  updateHttpClientConfig(key: never): void {
    throw new Error(`The way to an engine has no setting ${key}`);
  }

  httpHandlerConfigs(): object {
    return {};
  }

  async #send(request: HttpRequest): Promise<HttpResponse> {
    if (!this.#process.isAlive) return never();
    const [service, network, process] = [this.#service, this.#network, this.#process];
    try {
      return await pass(await service.read(request), { service, network, process });
    } catch (error) {
      if (error instanceof ServiceError) return service.refuse(error);
      throw error;
    }
  }
}

function abortion(signal: NonNullable<HttpHandlerOptions['abortSignal']>): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(Object.assign(new Error('Request aborted'), { name: 'AbortError' }));
    if (signal.aborted) abort();
    else signal.onabort = abort;
  });
}

type Refresh = StandardRetryStrategy['refreshRetryTokenForRetry'];

/** The SDK's own rules for retries, with pauses in virtual time. */
export class VirtualRetries extends StandardRetryStrategy {
  readonly #network: Network;

  constructor(maxAttempts: number, network: Network) {
    super({ maxAttempts, backoff: { computeNextBackoffDelay: () => 0, setDelayBase: () => undefined } });
    this.#network = network;
  }

  override refreshRetryTokenForRetry: Refresh = async (token, info) => {
    const { clock, random } = this.#network;
    // The SDK's strategy uses a real timer, even for a pause of 0.
    const next = await clock.holdFor(super.refreshRetryTokenForRetry(token, info));
    const base = info.errorType === 'THROTTLING' ? Retry.throttlingDelay() : Retry.delay();
    const longest = Math.min(base * 2 ** token.getRetryCount(), MAXIMUM_RETRY_DELAY);
    await clock.wait(Math.floor(longest * random()));
    return next;
  };
}
