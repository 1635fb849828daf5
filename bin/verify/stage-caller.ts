import { unreachable } from '../cli/api.ts';
import { CommandFailed } from '../cli/cli.ts';

/** A stage did not keep a promise to its callers. */
export class PromiseBroken extends CommandFailed {
  override readonly name = 'PromiseBroken';
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined if it is not JSON. */
  readonly body: unknown;
}

export interface Call {
  readonly key?: string;
  readonly json?: unknown;
  readonly form?: FormData;
}

/** Calls a stage at its address, as anybody can. */
export class StageCaller {
  readonly baseUrl: string;
  readonly fetch: typeof fetch;

  constructor(baseUrl: string, fetcher: typeof fetch) {
    this.baseUrl = baseUrl;
    this.fetch = fetcher;
  }

  /** @throws ApiUnavailable */
  async call(method: string, path: string, { key, json, form }: Call = {}): Promise<Answer> {
    const body = json === undefined ? form : JSON.stringify(json);
    const response = await this.#answer(`${this.baseUrl}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    });
    const { status, headers } = response;
    return { status, headers, body: await response.json().catch(() => undefined) };
  }

  async #answer(url: string, init: RequestInit): Promise<Response> {
    try {
      return await this.fetch(url, init);
    } catch (cause) {
      throw unreachable(url, cause);
    }
  }
}

/** @throws PromiseBroken */
export function must(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new PromiseBroken(sentence);
}
