import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEgress } from '../../../functions/egress/egress-fetch.ts';
import type { ProviderContext, ProviderJob } from '../../../functions/videos/providers/provider.ts';

export const START = new Date('2026-11-21T10:00:00.000Z');
export const KEY = 'sk-0123456789-secret';

export interface WireRequest {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export type Answer = (response: ServerResponse, request: WireRequest) => void;

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** A local server in a vendor's place. Each route gives its answers in order, and the last one again and again. */
export class WireServer implements AsyncDisposable {
  readonly requests: WireRequest[] = [];
  readonly #routes = new Map<string, Answer[]>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(async (incoming, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk);
      const { method = '', url: path = '', headers } = incoming;
      const request = { method, path, headers, body: Buffer.concat(chunks) };
      this.requests.push(request);
      const answers = this.#routes.get(`${method} ${path}`) ?? [];
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer === undefined) response.writeHead(404).end();
      else answer(response, request);
    });
  }

  static async open(): Promise<WireServer> {
    const server = new WireServer();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  on(route: string, ...answers: Answer[]): void {
    this.#routes.set(route, answers);
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** An adapter's context, with this server as the provider's address. */
  context(basePath: string, change: Partial<ProviderContext> = {}): ProviderContext {
    return {
      settings: { base_url: `${this.origin}${basePath}`, credential: 'workspace' },
      apiKey: KEY,
      fetch: createEgress({ allowed: new Set(['127.0.0.1']), deadlineMilliseconds: 30_000 }),
      now: () => START,
      signal: new AbortController().signal,
      inputs: {
        link: async (url) => `${url}#linked`,
        read: async (url) => ({ mediaType: 'image/png', bytes: Buffer.from(`bytes of ${url}`) }),
      },
      ...change,
    };
  }

  lastJson(): unknown {
    return JSON.parse(String(this.requests.at(-1)?.body));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

export function aProviderJob(change: Partial<ProviderJob> = {}): ProviderJob {
  return {
    id: 'vid_01jg000000000000000000000a',
    upstreamModel: 'model-1',
    dialect: {},
    prompt: 'A red fox',
    width: 1280,
    height: 720,
    resolution: '720p',
    aspectRatio: '16:9',
    durationSeconds: 5,
    generateAudio: true,
    frameImages: [],
    inputReferences: [],
    options: {},
    ...change,
  };
}
