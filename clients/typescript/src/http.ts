import { ConnectionError, errorOf } from './errors.ts';

export interface Options {
  /** Ends in `/api/v1`. @default the variable GENWAY_URL */
  readonly baseUrl?: string;
  /** @default the variable GENWAY_API_KEY */
  readonly apiKey?: string;
  /** How often a request is tried again. @default 2 */
  readonly maxRetries?: number;
  readonly fetch?: typeof fetch;
}

export interface Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | FormData;
  readonly signal?: AbortSignal | undefined;
  /** Whether a second request cannot do what a lost first one has done. @default true */
  readonly isRepeatable?: boolean;
}

const RETRIED = new Set([429, 500, 502, 503, 504]);
const FIRST_PAUSE_MILLISECONDS = 500;
const LONGEST_PAUSE_MILLISECONDS = 30_000;

/** One deployment, with one key. Repeats what failed in passing, after the time that the response names. */
export class Http {
  readonly #baseUrl: string;
  readonly #apiKey: string;
  readonly #maxRetries: number;
  readonly #fetch: typeof fetch;

  constructor({ baseUrl, apiKey, maxRetries = 2, fetch: ask = fetch }: Options) {
    this.#baseUrl = required(baseUrl ?? variable('GENWAY_URL'), 'baseUrl').replace(/\/+$/, '');
    this.#apiKey = required(apiKey ?? variable('GENWAY_API_KEY'), 'apiKey');
    this.#maxRetries = maxRetries;
    this.#fetch = (url, init) => ask(url, init);
  }

  /** @throws ApiError, ConnectionError */
  async send(path: string, call: Call = {}): Promise<Response> {
    for (let retries = this.#maxRetries; ; retries--) {
      const answer = await this.#once(path, call).catch((error: unknown) => error);
      if (answer instanceof Response && answer.ok) return answer;
      const error = answer instanceof Response ? await errorOf(answer) : lost(answer, call);
      if (retries === 0 || !mayRepeat(answer, call)) throw error;
      await pause(pauseBefore(this.#maxRetries - retries, answer), call.signal);
    }
  }

  /** The API is taken at the word of its description: a check here would refuse the fields of later versions. */
  async read<Answer>(path: string, call?: Call): Promise<Answer> {
    return JSON.parse(await (await this.send(path, call)).text());
  }

  #once(path: string, { method = 'GET', headers, body, signal }: Call): Promise<Response> {
    return this.#fetch(`${this.#baseUrl}${path}`, {
      method,
      headers: { ...headers, authorization: `Bearer ${this.#apiKey}` },
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    });
  }
}

/** A 429 and a 503 say that nothing was done; after anything else a request that is not repeatable may have done its work. */
function mayRepeat(answer: unknown, { isRepeatable = true, signal }: Call): boolean {
  if (signal?.aborted) return false;
  if (!(answer instanceof Response)) return isRepeatable;
  if (answer.status === 429 || answer.status === 503) return true;
  return isRepeatable && RETRIED.has(answer.status);
}

function lost(cause: unknown, { signal }: Call): unknown {
  return signal?.aborted ? signal.reason : new ConnectionError('The API cannot be reached', { cause });
}

/** Longer each time, and with chance in it, so that callers who failed together do not come again together. */
function pauseBefore(retry: number, answer: unknown): number {
  const seconds =
    answer instanceof Response ? Number(answer.headers.get('retry-after') ?? Number.NaN) : Number.NaN;
  const own = FIRST_PAUSE_MILLISECONDS * 2 ** retry * (0.5 + Math.random() / 2);
  return Math.min(Number.isNaN(seconds) ? own : seconds * 1000, LONGEST_PAUSE_MILLISECONDS);
}

/** Rejects with the signal's reason as soon as it is aborted. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Browsers have no variables. */
const variable = (name: string): string | undefined => globalThis.process?.env?.[name];

function required(value: string | undefined, option: string): string {
  if (value === undefined || value === '')
    throw new TypeError(`Give the option ${option}, or set its variable`);
  return value;
}
