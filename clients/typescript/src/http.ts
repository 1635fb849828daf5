import { ApiError, ConnectionError, errorOf } from './errors.ts';

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
/** They say that nothing was done, so that even a request that is not repeatable may come again. */
const REFUSED = new Set([429, 503]);
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
  send(path: string, call: Call = {}): Promise<Response> {
    return this.#ask(path, call, async (answer) => answer);
  }

  /** The API is taken at the word of its description: a check here would refuse the fields of later versions. */
  read<Answer>(path: string, call: Call = {}): Promise<Answer> {
    return this.#ask(path, call, async (answer) => JSON.parse(await answer.text()));
  }

  /** An answer that breaks off, or that is none of the API's, is as lost as one that never came. */
  async #ask<Taken>(path: string, call: Call, take: (answer: Response) => Promise<Taken>): Promise<Taken> {
    for (let retry = 0; ; retry++) {
      let answer: Response | undefined;
      try {
        answer = await this.#once(path, call);
        if (answer.ok) return await take(answer);
        throw await errorOf(answer);
      } catch (cause) {
        const error = cause instanceof ApiError ? cause : lost(cause, call);
        if (retry >= this.#maxRetries || !mayRepeat(error, call)) throw error;
        await pause(pauseBefore(retry, answer?.headers.get('retry-after')), call.signal);
      }
    }
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

function mayRepeat(error: unknown, { isRepeatable = true, signal }: Call): boolean {
  if (signal?.aborted) return false;
  if (!(error instanceof ApiError)) return isRepeatable;
  return REFUSED.has(error.status) || (isRepeatable && RETRIED.has(error.status));
}

function lost(cause: unknown, { signal }: Call): unknown {
  return signal?.aborted ? signal.reason : new ConnectionError('The API cannot be reached', { cause });
}

/** Longer each time, and with chance in it, so that callers who failed together do not come again together. */
function pauseBefore(retry: number, retryAfter: string | null | undefined): number {
  const seconds = Number(retryAfter ?? Number.NaN);
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
