import type { Readable } from 'node:stream';
import * as v from 'valibot';
import { readAtMost } from '../../byte-streams.ts';
import {
  ApiError,
  InvalidRequest,
  NotFound,
  PayloadTooLarge,
  ProviderUnavailable,
  ServiceUnavailable,
} from '../../http/errors.ts';
import { readBody, retryAfter } from '../../upstream/reply.ts';
import { hiding, readUpstreamError } from '../../upstream/upstream-error.ts';
import { checkedFilename } from '../file.ts';
import { LARGEST_FILE, LARGEST_LAMBDA_FILE, tooLarge } from '../size-limits.ts';
import type { FilePart } from '../upload/upload-form.ts';
import type { FileProviderName } from './file-provider.ts';

export interface FileApiOptions {
  readonly name: FileProviderName;
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: typeof fetch;
  readonly now: () => Date;
}

interface FileApiRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The id of the file, if the request is about one. */
  readonly id?: string;
  readonly content?: true;
  readonly query?: URLSearchParams;
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
    throw new ProviderUnavailable(`Provider ${this.#options.name} returned an invalid response`);
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

  async #send({ method, id, content, query, form }: FileApiRequest): Promise<Response> {
    const { name, apiKey, baseUrl, now } = this.#options;
    const body = form === undefined ? undefined : new WatchedBody(form.body);
    const path = id === undefined ? '/files' : `/files/${encodeURIComponent(id)}${content ? '/content' : ''}`;
    const url = `${baseUrl}${path}${query === undefined ? '' : `?${query}`}`;
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
    return new ProviderUnavailable(
      `Provider ${this.#options.name} could not be reached or did not respond in time`,
      {
        cause,
      },
    );
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

interface OutgoingForm {
  readonly contentType: string;
  readonly body: AsyncIterable<Uint8Array>;
}

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; *charset=[\w-]+)?$/;

/**
 * A form with the file that is just arriving in another form. The last delimiter is sent only if that one ends well, so
 * that a provider keeps nothing that was cut off or refused.
 * @param fieldsFor the fields besides the file; they come after it, because only then the purpose may be known
 * @throws InvalidRequest for the name of the file; the body throws InvalidRequest and PayloadTooLarge
 */
export function outgoingForm(
  file: Readable,
  part: FilePart,
  boundary: string,
  fieldsFor: (purpose: string) => Readonly<Record<string, string>> = () => ({}),
): OutgoingForm {
  const filename = checkedFilename(part.filename);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: write(),
  };

  async function* write(): AsyncGenerator<Uint8Array> {
    const disposition = `form-data; name="file"; filename="${filename.replaceAll('"', '%22')}"`;
    const type = MEDIA_TYPE.test(part.contentType ?? '') ? part.contentType : 'application/octet-stream';
    yield Buffer.from(
      `--${boundary}\r\ncontent-disposition: ${disposition}\r\ncontent-type: ${type}\r\n\r\n`,
    );
    let size = 0;
    for await (const chunk of file) {
      size += chunk.length;
      if (size > LARGEST_FILE) throw new PayloadTooLarge(tooLarge(LARGEST_FILE));
      yield chunk;
    }
    if (size === 0) throw new InvalidRequest('The file is empty', { metadata: { path: 'file' } });
    for (const [name, value] of Object.entries(fieldsFor(await part.purpose))) {
      yield Buffer.from(
        `\r\n--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}`,
      );
    }
    yield Buffer.from(`\r\n--${boundary}--\r\n`);
  }
}

interface ProviderRefusal {
  readonly name: FileProviderName;
  readonly status: number;
  readonly headers: Headers;
  /** Undefined where it is not JSON. */
  readonly body: unknown;
}

/** Anthropic's own status for an overload is 529. */
const BUSY = [429, 503, 529];
const DEFAULT_RETRY_SECONDS = 5;
const LONGEST_RETRY_SECONDS = 3600;

/**
 * Translates a provider's error for our caller: the caller's own mistakes are shown, without the key; failures of the
 * provider are not.
 */
function refusalOf(refusal: ProviderRefusal, secret: string, now: Date): ApiError {
  const { name, status, headers, body } = refusal;
  if (BUSY.includes(status)) {
    const seconds = retryAfter(headers.get('retry-after'), now) ?? DEFAULT_RETRY_SECONDS;
    const wait = Math.min(Math.max(1, Math.ceil(seconds)), LONGEST_RETRY_SECONDS);
    return new ServiceUnavailable(
      `Provider ${name} is overloaded, or its rate limit has been reached; try again later`,
      {
        headers: { 'retry-after': String(wait) },
      },
    );
  }
  if (status < 400 || status >= 500 || status === 408) {
    return new ProviderUnavailable(`Provider ${name} failed`, { cause: new Error(`it returned ${status}`) });
  }
  const { message } = readUpstreamError(body, hiding(secret));
  return new InvalidRequest(`Provider ${name} refused the request: ${message ?? `it returned ${status}`}`, {
    metadata: { provider_status: status },
  });
}
