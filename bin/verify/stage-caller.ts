/** What a stage promises to every caller was not so. */
export class PromiseBroken extends Error {
  override readonly name = 'PromiseBroken';
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined where it is no JSON. */
  readonly body: unknown;
}

export interface Call {
  readonly key?: string;
  readonly json?: unknown;
  readonly form?: FormData;
}

/** A stage by its address, as anybody may call it. */
export class StageCaller {
  readonly baseUrl: string;
  readonly fetch: typeof fetch;

  constructor(baseUrl: string, fetcher: typeof fetch) {
    this.baseUrl = baseUrl;
    this.fetch = fetcher;
  }

  async call(method: string, path: string, { key, json, form }: Call = {}): Promise<Answer> {
    const body = json === undefined ? form : JSON.stringify(json);
    const response = await this.fetch(`${this.baseUrl}${path}`, {
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
}

/** @throws PromiseBroken */
export function must(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new PromiseBroken(sentence);
}
