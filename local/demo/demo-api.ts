import * as v from 'valibot';

/** The API gave another response than the demo expects. */
export class DemoError extends Error {
  override readonly name = 'DemoError';
  /** The API cannot be reached, or cannot serve the request now. */
  readonly isPassing: boolean;

  constructor(
    message: string,
    { isPassing = false, ...options }: ErrorOptions & { isPassing?: boolean } = {},
  ) {
    super(message, options);
    this.isPassing = isPassing;
  }
}

/** Calls the API as any other caller does: with fetch, a key and JSON. */
export class DemoApi {
  readonly #baseUrl: string;
  readonly #key: string;

  constructor(baseUrl: string, key: string) {
    this.#baseUrl = baseUrl;
    this.#key = key;
  }

  async get<const Schema extends v.GenericSchema>(
    path: string,
    schema: Schema,
  ): Promise<v.InferOutput<Schema>> {
    return v.parse(schema, await (await this.#send(path, {})).json());
  }

  async post<const Schema extends v.GenericSchema>(
    path: string,
    body: FormData | Record<string, unknown>,
    schema: Schema,
  ): Promise<v.InferOutput<Schema>> {
    const isForm = body instanceof FormData;
    const response = await this.#send(path, {
      method: 'POST',
      headers: isForm ? {} : { 'content-type': 'application/json' },
      body: isForm ? body : JSON.stringify(body),
    });
    return v.parse(schema, await response.json());
  }

  /** Follows redirects, as `curl -L` does. */
  async download(path: string): Promise<Uint8Array> {
    return new Uint8Array(await (await this.#send(path, {})).arrayBuffer());
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    const headers = { ...init.headers, authorization: `Bearer ${this.#key}` };
    const response = await fetch(`${this.#baseUrl}${path}`, { ...init, headers }).catch((cause) => {
      const { origin } = new URL(this.#baseUrl);
      const message = `Could not reach ${origin}: check the URL and your network`;
      throw new DemoError(message, { cause, isPassing: true });
    });
    if (response.ok) return response;
    const { status } = response;
    throw new DemoError(`${init.method ?? 'GET'} ${path} returned ${status}: ${await response.text()}`, {
      isPassing: status >= 500 || status === 429,
    });
  }
}
