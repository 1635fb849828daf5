import type { HttpHandler, HttpHandlerOptions, HttpRequest, HttpResponse } from '@smithy/core/protocols';
import type { VirtualClock } from './clock.ts';
import { type Call, type Fault, type FaultPlan, faultsOf } from './faults.ts';
import type { Journal } from './journal.ts';
import { never, type Process } from './process.ts';
import { type Order, type Service, ServiceError } from './service.ts';

/** What lies between the callers and the services. */
export interface Network {
  readonly clock: VirtualClock;
  readonly faults: FaultPlan;
  /** Of a call and its answer together, in milliseconds. */
  readonly latency: (call: Call) => number;
  /** How long a caller waits for an answer. @default for ever */
  readonly requestTimeout?: number | undefined;
  readonly journal: Journal;
}

/**
 * The SDK's way to a service, in place of the one over HTTP. All that the SDK does runs: it marshals, makes the
 * request, reads the answer or the error, tries again.
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
    const answered = this.#send(request);
    const { clock, requestTimeout } = this.#network;
    const inTime = requestTimeout === undefined ? answered : within(answered, requestTimeout, clock);
    const aborted = abortSignal === undefined || abortSignal === null ? [] : [abortion(abortSignal)];
    return { response: await Promise.race([inTime, ...aborted]) };
  }

  updateHttpClientConfig(key: never): void {
    throw new Error(`The way to an engine has no setting ${key}`);
  }

  httpHandlerConfigs(): object {
    return {};
  }

  async #send(request: HttpRequest): Promise<HttpResponse> {
    if (!this.#process.isAlive) return never();
    const order = await this.#service.read(request);
    const call = this.#network.journal.note({
      service: this.#service.name,
      operation: order.operation,
      process: this.#process.name,
      input: order.input,
    });
    const fault = this.#faultOf(call);
    const { clock, latency } = this.#network;
    const milliseconds = latency(call);
    await clock.wait(milliseconds / 2);
    const response = await this.#perform(order, call, fault);
    await clock.wait(milliseconds / 2);
    return this.#process.isAlive ? response : never();
  }

  #faultOf(call: Call): Fault | undefined {
    const fault = this.#network.faults(call);
    if (fault === undefined || faultsOf(call).includes(fault)) return fault;
    throw new Error(`${call.service} ${call.operation} cannot have the fault "${fault}"`);
  }

  async #perform(order: Order, call: Call, fault: Fault | undefined): Promise<HttpResponse> {
    if (fault === 'hang') return never();
    if (fault === 'crash before') return this.#die(call);
    const response = await this.#effect(order, fault);
    if (fault === 'crash after') return this.#die(call);
    if (fault === 'answer hangs') return never();
    if (fault === 'answer lost') throw connectionReset();
    return response;
  }

  async #effect(order: Order, fault: Fault | undefined): Promise<HttpResponse> {
    try {
      if (fault === 'error') throw new ServiceError('InternalServerError', 'Internal server error', 500);
      if (fault === 'throttled') throw this.#service.throttling;
      return await order.perform(fault);
    } catch (error) {
      if (error instanceof ServiceError) return this.#service.refuse(error);
      throw error;
    }
  }

  #die(call: Call): Promise<never> {
    this.#process.crash(call);
    return never();
  }
}

const connectionReset = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

/** @throws an error as the SDK's own handler throws it */
async function within<T>(answered: Promise<T>, milliseconds: number, clock: VirtualClock): Promise<T> {
  const settled = new AbortController();
  const late = clock.wait(milliseconds, settled.signal).then(() => {
    throw Object.assign(new Error(`No answer within ${milliseconds} ms`), { name: 'TimeoutError' });
  });
  return Promise.race([answered, late]).finally(() => settled.abort());
}

function abortion(signal: NonNullable<HttpHandlerOptions['abortSignal']>): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(Object.assign(new Error('Request aborted'), { name: 'AbortError' }));
    if (signal.aborted) abort();
    else signal.onabort = abort;
  });
}
