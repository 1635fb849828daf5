import type { ServerResponse } from 'node:http';
import { createEgress } from '../../../functions/egress/egress-fetch.ts';
import { micros } from '../../../functions/money/micros.ts';
import {
  DecryptedKey,
  type ProviderContext,
  type ProviderJob,
} from '../../../functions/videos/providers/provider.ts';
import { type LocalServer, openServer, type Received } from '../../local-server.ts';

export const START = new Date('2026-11-21T10:00:00.000Z');
export const KEY = 'sk-0123456789-secret';

export type Answer = (response: ServerResponse, request: Received) => void;

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** A local server in a vendor's place. Each route gives its answers in order, and the last one again and again. */
export class WireServer implements AsyncDisposable {
  readonly requests: readonly Received[];
  readonly origin: string;
  readonly #routes: Map<string, Answer[]>;
  readonly #close: () => Promise<void>;

  static async open(): Promise<WireServer> {
    const routes = new Map<string, Answer[]>();
    const server = await openServer((_, response, request) => {
      const answers = routes.get(`${request.method} ${request.url}`) ?? [];
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer === undefined) response.writeHead(404).end();
      else answer(response, request);
    });
    return new WireServer(server, routes);
  }

  private constructor({ url, received, close }: LocalServer, routes: Map<string, Answer[]>) {
    this.origin = url;
    this.requests = received;
    this.#routes = routes;
    this.#close = close;
  }

  on(route: string, ...answers: Answer[]): void {
    this.#routes.set(route, answers);
  }

  /** An adapter's context, with this server as the provider's address. */
  context(basePath: string, change: Partial<ProviderContext> = {}): ProviderContext {
    return {
      settings: { base_url: `${this.origin}${basePath}`, credential: 'workspace' },
      apiKey: new DecryptedKey(KEY),
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
    return JSON.parse(this.requests.at(-1)?.body ?? '');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close();
  }
}

export function aProviderJob(change: Partial<ProviderJob> = {}): ProviderJob {
  return {
    id: 'vid_01jg000000000000000000000a',
    upstreamModel: 'model-1',
    tariff: { second: micros(50_000), fixed: micros(0), least: micros(0) },
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
