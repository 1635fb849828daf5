import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface VideoServerOptions {
  /** How long a video takes, by the given clock. */
  readonly seconds: number;
  readonly now: () => Date;
}

/** A server with the `/v1/videos` API that remembers its jobs. It can be killed at any moment and started again. */
export class VideoServer implements AsyncDisposable {
  /** The time at which each job was accepted. */
  readonly works = new Map<string, number>();
  submits = 0;
  /** How it answers a submit. */
  mode: 'takes it' | 'is busy' | 'takes it and says nothing' = 'takes it';
  readonly #options: VideoServerOptions;
  #server: Server | undefined;
  #port = 0;

  constructor(options: VideoServerOptions) {
    this.#options = options;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<this> {
    const server = createServer((request, response) => this.#answer(request, response));
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
    return this;
  }

  async kill(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    server?.closeAllConnections();
    await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    const [, id = '', part] = /^\/v1\/videos\/([^/]+)(\/content)?$/.exec(request.url ?? '') ?? [];
    if (request.method === 'POST') this.#submit(response);
    else if (part !== undefined) response.writeHead(200, { 'content-type': 'video/mp4' }).end('the video');
    else this.#tell(id, response);
  }

  #tell(id: string, response: ServerResponse): void {
    const since = this.#options.now().getTime() - (this.works.get(id) ?? Number.NaN);
    const status = since >= this.#options.seconds * 1000 ? 'completed' : 'in_progress';
    send(response, 200, { id, status });
  }

  #submit(response: ServerResponse): void {
    this.submits++;
    if (this.mode === 'is busy') send(response, 429, {});
    else this.#take(response);
  }

  #take(response: ServerResponse): void {
    const id = `${this.#port}-${this.submits}`;
    this.works.set(id, this.#options.now().getTime());
    if (this.mode === 'takes it') send(response, 200, { id });
    else response.destroy();
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
