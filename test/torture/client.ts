import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { type RouteId, routes } from '../../functions/endpoints/definitions.ts';
import { type Exchange, seenIn } from '../histories/exchange.ts';

export interface ClientPorts {
  readonly baseUrl: string;
  readonly key: string;
  readonly callbackUrl: string;
  readonly history: Exchange[];
  readonly random: () => number;
}

const PATIENCE = 30_000;
const PAUSE = 400;
/** How often an order is sent until an answer shows what became of it. */
const TRIES = 60;

type Asked = Pick<Exchange, 'route'> & Partial<Pick<Exchange, 'id' | 'idempotencyKey'>>;

/** One client of a tenant. It records every exchange, and sends a request again if there was no answer. */
export class Client {
  readonly #tenant: string;
  readonly #ports: ClientPorts;
  #orders = 0;

  constructor(tenant: string, ports: ClientPorts) {
    this.#tenant = tenant;
    this.#ports = ports;
  }

  async work(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await this.#act(this.#ports.random());
      await sleep(PAUSE * this.#ports.random());
    }
  }

  #act(draw: number): Promise<unknown> {
    const { job, file, foreignJob, foreignFile } = this.#known();
    if (draw < 0.35 || job === undefined) return this.#submit();
    if (draw < 0.6) return this.#askAbout('get-video', job);
    if (draw < 0.66) return this.#ask({ route: 'list-videos' }, { query: '?limit=50' });
    if (draw < 0.72) return this.#askAbout('cancel-video', job);
    if (draw < 0.8 && foreignJob !== undefined) return this.#askAbout('get-video', foreignJob);
    if (draw < 0.88 || file === undefined) return this.#upload();
    if (draw < 0.94) return this.#askAbout('get-file', file);
    if (draw < 0.97 && foreignFile !== undefined) return this.#askAbout('get-file', foreignFile);
    return this.#askAbout('delete-file', file);
  }

  #known() {
    const { history, random } = this.#ports;
    const one = (maker: RouteId, isOwn: boolean) => {
      const makers = history.filter(
        ({ route, tenant }) => route === maker && (tenant === this.#tenant) === isOwn,
      );
      const ids = makers.flatMap(seenIn).map(({ id }) => id);
      return ids[Math.floor(random() * ids.length)];
    };
    return {
      job: one('submit-video', true),
      file: one('upload-file', true),
      foreignJob: one('submit-video', false),
      foreignFile: one('upload-file', false),
    };
  }

  /** Sends an order until it is answered. Only then does the client know how many jobs there must be. */
  async #submit(): Promise<void> {
    const idempotencyKey = `${this.#tenant}-${this.#orders++}-${Math.floor(1e9 * this.#ports.random())}`;
    const body = JSON.stringify({
      model: 'sandbox/clip-1',
      prompt: 'A clock that goes on',
      duration: 1,
      size: '360x360',
      callback_url: this.#ports.callbackUrl,
      metadata: { order: idempotencyKey },
      provider: { options: { sandbox: { latency_s: 1 + Math.floor(20 * this.#ports.random()) } } },
    });
    const headers = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const asked = { route: 'submit-video', idempotencyKey } as const;
      const { status = 500 } = await this.#ask(asked, { headers, body });
      if (status < 500 && status !== 429) return;
      await sleep(1_000);
    }
  }

  async #upload(): Promise<void> {
    const body = new FormData();
    const bytes = [`a,b\n${this.#orders},${this.#ports.random()}\n`];
    body.set('file', new Blob(bytes, { type: 'text/csv' }), 'a.csv');
    await this.#ask({ route: 'upload-file' }, { body });
  }

  #askAbout = (route: RouteId, id: string) => this.#ask({ route, id });

  async #ask(
    asked: Asked,
    { query = '', ...init }: RequestInit & { query?: string } = {},
  ): Promise<Exchange> {
    const { baseUrl, key, history } = this.#ports;
    const { method, path } = routes[asked.route];
    const begun = Date.now();
    const answer = await answerOf(`${baseUrl}${path.replace(/\{\w+\}/, asked.id ?? '')}${query}`, {
      ...init,
      method,
      headers: { ...init.headers, authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(PATIENCE),
    });
    const exchange = { tenant: this.#tenant, ...asked, begun, ended: Date.now(), ...answer };
    history.push(exchange);
    return exchange;
  }
}

async function answerOf(url: string, init: RequestInit): Promise<Pick<Exchange, 'status' | 'body'>> {
  try {
    const response = await fetch(url, init);
    const text = await response.text();
    const read = v.safeParse(v.pipe(v.string(), v.parseJson()), text);
    return { status: response.status, body: read.success ? read.output : text };
  } catch {
    return { status: undefined, body: undefined };
  }
}
