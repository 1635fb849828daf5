import * as v from 'valibot';
import { ApiError, InvalidRequest, NotFound, ProviderUnavailable } from '../../http/errors.ts';
import { readAtMost } from '../../upstream/read-at-most.ts';
import { readBody } from '../../upstream/reply-body.ts';
import { LARGEST_LAMBDA_FILE } from '../upload/size-limits.ts';
import type { FileProviderName } from './file-provider.ts';
import type { OutgoingForm } from './outgoing-form.ts';
import { refusalOf } from './refusal-of.ts';

export interface FileApiOptions {
  readonly name: FileProviderName;
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: typeof fetch;
  readonly now: () => Date;
}

export interface FileApiRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The id of the file, if the request is about one. */
  readonly id?: string;
  readonly content?: true;
  readonly query?: Readonly<Record<string, string>>;
  readonly form?: OutgoingForm;
}

/** Exchanges with a provider's Files API. Providers differ only in their headers and bodies. */
export class FileApi {
  readonly #options: FileApiOptions;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(options: FileApiOptions, headers: Readonly<Record<string, string>>) {
    this.#options = options;
    this.#headers = headers;
  }

  /** @throws ApiError as `ProviderFiles` says */
  async json<const Schema extends v.GenericSchema>(
    schema: Schema,
    request: FileApiRequest,
  ): Promise<v.InferOutput<Schema>> {
    const response = await this.#send(request);
    const parsed = v.safeParse(schema, await readBody(response));
    if (parsed.success) return parsed.output;
    throw new ProviderUnavailable(`${this.#options.name} sent an answer that could not be understood`);
  }

  /** @throws ApiError as `ProviderFiles` says; InvalidRequest for a file that is too large to be passed on */
  async bytes(request: FileApiRequest): Promise<Uint8Array> {
    const { body } = await this.#send(request);
    const bytes = await readAtMost(body, LARGEST_LAMBDA_FILE).catch((cause: unknown) => {
      throw this.#silent(cause);
    });
    if (bytes === undefined) throw this.#tooLarge();
    return bytes;
  }

  async #send({ method, id, content, query = {}, form }: FileApiRequest): Promise<Response> {
    const { name, apiKey, baseUrl, now } = this.#options;
    const body = form === undefined ? undefined : new WatchedBody(form.body);
    const path = id === undefined ? '/files' : `/files/${encodeURIComponent(id)}${content ? '/content' : ''}`;
    const search = new URLSearchParams(query).toString();
    const url = `${baseUrl}${path}${search === '' ? '' : `?${search}`}`;
    const sent = this.#options.fetch(url, {
      method,
      headers: {
        ...this.#headers,
        accept: content ? 'application/binary' : 'application/json',
        ...(form === undefined ? {} : { 'content-type': form.contentType }),
      },
      // `fetch` must be told that the body is a stream (Fetch standard, `duplex`).
      ...(body === undefined ? {} : { body: body.stream, duplex: 'half' }),
    });
    const response = await sent.catch((cause: unknown) => {
      throw body?.refusal ?? this.#silent(cause);
    });
    if (response.ok) return response;
    if (response.status === 404 && id !== undefined) throw new NotFound('No such file');
    const { status, headers } = response;
    throw refusalOf({ name, status, headers, body: await readBody(response) }, apiKey, now());
  }

  #silent(cause: unknown): ProviderUnavailable {
    return new ProviderUnavailable(`${this.#options.name} could not be reached or did not answer in time`, {
      cause,
    });
  }

  #tooLarge(): InvalidRequest {
    const { name } = this.#options;
    return new InvalidRequest(
      `The file has more than ${LARGEST_LAMBDA_FILE} bytes; download it from ${name} itself`,
    );
  }
}

/** A request's body that remembers why it ended: `fetch` does not say. */
class WatchedBody {
  readonly stream: ReadableStream<Uint8Array>;
  #refusal: ApiError | undefined;

  constructor(body: AsyncIterable<Uint8Array>) {
    this.stream = ReadableStream.from(this.#watch(body));
  }

  /** Why the file that was to be sent was refused. */
  get refusal(): ApiError | undefined {
    return this.#refusal;
  }

  async *#watch(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* body;
    } catch (error) {
      if (error instanceof ApiError) this.#refusal = error;
      throw error;
    }
  }
}
