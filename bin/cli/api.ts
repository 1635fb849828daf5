import * as v from 'valibot';
import { errorCode } from '../../local/system/failure.ts';
import { visible } from '../../local/terminal/text.ts';
import { CommandFailed } from './cli.ts';

/** The API refuses the request; a retry will not help. */
export class ApiRefused extends CommandFailed {
  override readonly name = 'ApiRefused';
}

/** The API did not answer, or cannot serve the request now. */
export class ApiUnavailable extends CommandFailed {
  override readonly name = 'ApiUnavailable';
}

const errorSchema = v.object({ error: v.object({ message: v.string() }) });

interface ApiRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: FormData;
}

/** One deployment, with one key. */
export class Api {
  readonly #baseUrl: string;
  readonly #key: string;
  readonly #fetch: typeof fetch;
  readonly #signal: AbortSignal | undefined;

  constructor(baseUrl: string, key: string, fetcher: typeof fetch, signal?: AbortSignal) {
    this.#baseUrl = baseUrl;
    this.#key = key;
    this.#fetch = fetcher;
    this.#signal = signal;
  }

  /** @throws ApiRefused, ApiUnavailable */
  async ask<const Schema extends v.GenericSchema>(
    path: string,
    schema: Schema,
    request: ApiRequest = {},
  ): Promise<v.InferOutput<Schema>> {
    const response = await this.send(path, request);
    const answer = v.safeParse(schema, await response.json().catch(() => undefined));
    if (answer.success) return answer.output;
    throw new ApiRefused(
      `The response to ${path} has an unexpected form (check the URL): ${v.summarize(answer.issues)}`,
    );
  }

  /** @returns a successful response, after redirects @throws ApiRefused, ApiUnavailable */
  async send(path: string, { method, headers, json, form }: ApiRequest = {}): Promise<Response> {
    const body = json === undefined ? form : JSON.stringify(json);
    const response = await this.#answer(path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        ...headers,
        authorization: `Bearer ${this.#key}`,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
      ...(this.#signal === undefined ? {} : { signal: this.#signal }),
    });
    if (response.ok) return response;
    const told = v.safeParse(errorSchema, await response.json().catch(() => undefined));
    const message = `The API returned ${response.status}${told.success ? `: ${visible(told.output.error.message)}` : ''}`;
    const isPassing = response.status >= 500 || response.status === 429;
    throw isPassing ? new ApiUnavailable(message) : new ApiRefused(message);
  }

  async #answer(path: string, init: RequestInit): Promise<Response> {
    try {
      return await this.#fetch(`${this.#baseUrl}${path}`, init);
    } catch (cause) {
      throw unreachable(this.#baseUrl, cause);
    }
  }
}

/** Says with the code of a failed connection what it was: `ECONNREFUSED`, `CERT_HAS_EXPIRED`. */
export function unreachable(url: string, cause: unknown): ApiUnavailable {
  const code = typeof cause === 'object' && cause && 'cause' in cause ? errorCode(cause.cause) : undefined;
  const why = code === undefined ? '' : ` (${code})`;
  return new ApiUnavailable(`Could not reach ${new URL(url).origin}${why}: check the URL and your network`, {
    cause,
  });
}
