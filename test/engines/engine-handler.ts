import type { HttpHandler, HttpHandlerOptions, HttpRequest, HttpResponse } from '@smithy/core/protocols';
import { inTime, type Network, pass } from './passage.ts';
import { never, type Process } from './process.ts';
import { type Service, ServiceError } from './service.ts';

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
    const aborted = abortSignal === undefined || abortSignal === null ? [] : [abortion(abortSignal)];
    return { response: await Promise.race([answered, ...aborted]) };
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
