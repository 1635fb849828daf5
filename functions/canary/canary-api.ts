import * as v from 'valibot';
import { defined } from '../defined.ts';

/** Something failed that every caller may rely on. */
export class CanaryFailed extends Error {
  override readonly name = 'CanaryFailed';
}

export interface CanaryApiPorts {
  /** The address of the API, up to `/api/v1`. */
  readonly baseUrl: string;
  readonly key: string;
  readonly fetch: typeof fetch;
}

interface Call {
  readonly method?: 'POST' | 'DELETE';
  readonly json?: unknown;
  readonly form?: FormData;
  /** How long the answer may be held back at most. */
  readonly waitSeconds?: number;
}

/** A stage as a caller sees it, by its address and a key. */
export class CanaryApi {
  readonly #ports: CanaryApiPorts;

  constructor(ports: CanaryApiPorts) {
    this.#ports = ports;
  }

  /** @throws CanaryFailed that names the step */
  async ask<const Schema extends v.GenericSchema>(
    step: string,
    path: string,
    schema: Schema,
    call: Call = {},
  ): Promise<v.InferOutput<Schema>> {
    const answer = await this.#send(step, `${this.#ports.baseUrl}${path}`, this.#request(call));
    const read = v.safeParse(schema, parsed(answer));
    if (read.success) return read.output;
    throw new CanaryFailed(`${step}: the answer is not what it should be: ${v.summarize(read.issues)}`);
  }

  /** Reads what a signed link leads to. */
  open(step: string, link: string): Promise<string> {
    return this.#send(step, link, {});
  }

  #request({ method, json, form, waitSeconds }: Call): RequestInit {
    return {
      method: method ?? 'GET',
      headers: {
        authorization: `Bearer ${this.#ports.key}`,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(waitSeconds === undefined ? {} : { prefer: `wait=${waitSeconds}` }),
      },
      ...defined({ body: json === undefined ? form : JSON.stringify(json) }),
    };
  }

  async #send(step: string, url: string, request: RequestInit): Promise<string> {
    const { status, text } = await this.#exchange(step, url, request);
    if (status >= 200 && status < 300) return text;
    throw new CanaryFailed(`${step}: answered ${status}`);
  }

  async #exchange(step: string, url: string, request: RequestInit) {
    try {
      const response = await this.#ports.fetch(url, request);
      return { status: response.status, text: await response.text() };
    } catch (cause) {
      throw new CanaryFailed(`${step}: no answer`, { cause });
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
