import { setTimeout as sleep } from 'node:timers/promises';
import { type Exchange, fileIn, jobsIn } from '../histories/exchange.ts';

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

type Asked = Pick<Exchange, 'operation'> & Partial<Pick<Exchange, 'id' | 'idempotencyKey'>>;

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
    if (draw < 0.6) return this.#ask({ operation: 'get', id: job }, `/videos/${job}`);
    if (draw < 0.66) return this.#ask({ operation: 'list' }, '/videos?limit=50');
    if (draw < 0.72)
      return this.#ask({ operation: 'cancel', id: job }, `/videos/${job}/cancel`, { method: 'POST' });
    if (draw < 0.8 && foreignJob !== undefined)
      return this.#ask({ operation: 'get', id: foreignJob }, `/videos/${foreignJob}`);
    if (draw < 0.88 || file === undefined) return this.#upload();
    if (draw < 0.94) return this.#ask({ operation: 'get file', id: file }, `/files/${file}`);
    if (draw < 0.97 && foreignFile !== undefined)
      return this.#ask({ operation: 'get file', id: foreignFile }, `/files/${foreignFile}`);
    return this.#ask({ operation: 'delete file', id: file }, `/files/${file}`, { method: 'DELETE' });
  }

  #known() {
    const { history } = this.#ports;
    const ids = (isOwn: boolean, idsOf: (exchange: Exchange) => readonly (string | undefined)[]) => {
      const makers = history.filter(({ operation }) => operation === 'submit' || operation === 'upload');
      const from = makers.filter(({ tenant }) => (tenant === this.#tenant) === isOwn).flatMap(idsOf);
      const there = from.filter((id) => id !== undefined);
      return there[Math.floor(this.#ports.random() * there.length)];
    };
    const jobs = (exchange: Exchange) => jobsIn(exchange).map(({ id }) => id);
    const files = (exchange: Exchange) => [fileIn(exchange)?.id];
    return {
      job: ids(true, jobs),
      file: ids(true, files),
      foreignJob: ids(false, jobs),
      foreignFile: ids(false, files),
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
      const init = { method: 'POST', headers, body };
      const { status = 500 } = await this.#ask({ operation: 'submit', idempotencyKey }, '/videos', init);
      if (status < 500 && status !== 429) return;
      await sleep(1_000);
    }
  }

  async #upload(): Promise<void> {
    const form = new FormData();
    form.set(
      'file',
      new Blob([`a,b\n${this.#orders},${this.#ports.random()}\n`], { type: 'text/csv' }),
      'a.csv',
    );
    await this.#ask({ operation: 'upload' }, '/files', { method: 'POST', body: form });
  }

  async #ask(asked: Asked, path: string, init: RequestInit = {}): Promise<Exchange> {
    const { baseUrl, key, history } = this.#ports;
    const begun = performance.now();
    const answer = await answerOf(`${baseUrl}${path}`, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(PATIENCE),
    });
    const exchange = { tenant: this.#tenant, ...asked, begun, ended: performance.now(), ...answer };
    history.push(exchange);
    return exchange;
  }
}

async function answerOf(url: string, init: RequestInit): Promise<Pick<Exchange, 'status' | 'body'>> {
  try {
    const response = await fetch(url, init);
    const text = await response.text();
    return { status: response.status, body: parsed(text) };
  } catch {
    return { status: undefined, body: undefined };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
