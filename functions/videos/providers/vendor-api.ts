import * as v from 'valibot';
import { defined } from '../../defined.ts';
import { readBody, retryAfter } from '../../upstream/reply.ts';
import { readUpstreamError, type UpstreamError } from '../../upstream/upstream-error.ts';
import {
  type ProviderContext,
  ProviderError,
  type ProviderErrorKind,
  type ProviderOutput,
} from './provider.ts';

interface Vendor {
  /** The vendor's own base URL; a stage may name another. */
  readonly base: string;
  /** The headers that carry the key. @default it is a bearer token */
  readonly credential?: (key: string, now: Date) => Readonly<Record<string, string>>;
  /** What else every call has. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What the adapter knows of the vendor's errors; undefined leaves the decision to the status. */
  readonly errors: (error: UpstreamError, status: number, headers: Headers) => ProviderErrorKind | undefined;
}

/** Reaches a vendor's API for a job. */
export const vendorApi =
  (vendor: Vendor) =>
  (context: ProviderContext): VendorApi =>
    new VendorApi(context, vendor);

/** A call without a body. */
type Call = readonly [method: ProviderRequest['method'], path: string];
type Body = Pick<ProviderRequest, 'json' | 'form' | 'headers'>;
type Cancellation = 'cancelled' | 'requested' | 'not_possible';

/**
 * A vendor's API for one job: the one place that joins a path to the provider's address, and that writes its key into a
 * request.
 */
export class VendorApi {
  readonly #context: ProviderContext;
  readonly #vendor: Vendor;
  readonly #base: URL;

  constructor(context: ProviderContext, vendor: Vendor) {
    this.#context = context;
    this.#vendor = vendor;
    const base = context.settings.base_url ?? vendor.base;
    this.#base = new URL(base.endsWith('/') ? base : `${base}/`);
  }

  /**
   * Where a path is at the provider. A ref may hold an address instead, which the provider has named.
   * @throws ProviderError `refused` for an address of another origin: whoever could name one would collect keys
   */
  url(path: string): URL {
    const url = URL.parse(path, this.#base.href);
    if (url?.origin === this.#base.origin) return url;
    throw new ProviderError(
      'refused',
      'The request would go to an origin other than that of the provider’s base URL',
      {
        wasAsked: false,
      },
    );
  }

  /** A result that the provider has put at an address; only its own servers get the key with it. */
  result(address: string): ProviderOutput {
    const url = URL.parse(address);
    if (url?.origin !== this.#base.origin) return { kind: 'url', url: address };
    return { kind: 'url', url: url.href, headers: this.#credential(url) };
  }

  /**
   * The answer, parsed as a success.
   * @throws ProviderError for everything else
   */
  async get<const Schema extends v.GenericSchema>(
    path: string,
    schema: Schema,
  ): Promise<v.InferOutput<Schema>> {
    return this.successOf(await this.send('GET', path), schema);
  }

  /** @throws ProviderError as `get` does */
  async post<const Schema extends v.GenericSchema>(
    path: string,
    body: Body,
    schema: Schema,
  ): Promise<v.InferOutput<Schema>> {
    return this.successOf(await this.send('POST', path, body), schema);
  }

  /** `tooLate` lists the statuses that mean it is too late. It is, too, where the vendor does not know the work. */
  async cancel(
    [method, path]: Call,
    tooLate: readonly number[],
    outcome: (reply: ProviderReply) => Cancellation = () => 'cancelled',
  ): Promise<Cancellation> {
    const reply = await this.send(method, path);
    if (reply.status < 300) return outcome(reply);
    if (isGone(reply) || tooLate.includes(reply.status)) return 'not_possible';
    throw this.errorOf(reply);
  }

  /** @throws ProviderError when there is no answer */
  async send(method: ProviderRequest['method'], path: string, body: Body = {}): Promise<ProviderReply> {
    const url = this.url(path);
    const headers = { ...this.#credential(url), ...this.#vendor.headers, ...body.headers };
    return exchange({ method, url, ...body, headers }, this.#context);
  }

  /** @throws ProviderError `credential` when the workspace has stored no key */
  #credential(url: URL): Readonly<Record<string, string>> {
    const { settings, apiKey, now } = this.#context;
    if (settings.credential === 'none') return {};
    if (apiKey === undefined) {
      throw new ProviderError(
        'credential',
        'There is no key for this provider that the job may use; add one with POST /api/v1/byok, or change an existing one with PATCH /api/v1/byok/{id}',
        { wasAsked: false },
      );
    }
    const { credential: write = bearer } = this.#vendor;
    return apiKey.headersFor(url, this.#base, (secret) => write(secret, now()));
  }

  /** The error that an unexpected reply means. */
  errorOf(reply: ProviderReply): ProviderError {
    const upstream = readUpstreamError(reply.body, this.#context.apiKey?.hideIn);
    const kind = this.#vendor.errors(upstream, reply.status, reply.headers) ?? kindOf(reply);
    const said = upstream.message ?? upstream.code;
    const message = `The provider returned ${reply.status}${said === undefined ? '' : `: ${said}`}`;
    const { retryAfterSeconds } = reply;
    return new ProviderError(kind, message, { ...defined({ retryAfterSeconds }), isGone: isGone(reply) });
  }

  /** @throws ProviderError as `get` does */
  successOf<const Schema extends v.GenericSchema>(
    reply: ProviderReply,
    schema: Schema,
  ): v.InferOutput<Schema> {
    const { status, headers, body } = reply;
    if (status < 200 || status >= 300) throw this.errorOf(reply);
    const parsed = v.safeParse(schema, body);
    if (parsed.success) return parsed.output;
    // Some vendors send an error with a 200.
    const known = this.#vendor.errors(readUpstreamError(body), status, headers);
    if (known !== undefined) throw this.errorOf(reply);
    throw new ProviderError('ambiguous', 'The provider returned an invalid response');
  }
}

/** Whether an address from a provider's answer belongs to the provider. */
export const isOwn = (url: string, own: URL): boolean => URL.parse(url)?.origin === own.origin;

/** The address from a provider's answer, if it belongs to the provider; otherwise the documented one. */
export const ownOr = (documented: URL, named: string | undefined): string =>
  named !== undefined && isOwn(named, documented) ? named : documented.href;

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

interface ProviderRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: FormData;
}

export interface ProviderReply {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined where it is not JSON, is cut short or is too long to read. */
  readonly body: unknown;
  readonly retryAfterSeconds: number | undefined;
}

/** @throws ProviderError when there is no answer */
async function exchange(request: ProviderRequest, context: ProviderContext): Promise<ProviderReply> {
  // The time began before the job's inputs were read.
  if (context.signal.aborted) {
    const options = { cause: context.signal.reason, wasAsked: false };
    throw new ProviderError('unavailable', 'There was no time left to call the provider', options);
  }
  const { method, url, headers, json, form } = request;
  const body = form ?? (json === undefined ? undefined : JSON.stringify(json));
  let response: Response;
  try {
    response = await context.fetch(url, {
      method,
      headers: {
        accept: 'application/json',
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      signal: context.signal,
      ...defined({ body }),
    });
  } catch (cause) {
    const kind = wasNeverSent(cause) ? 'unavailable' : 'ambiguous';
    throw new ProviderError(kind, 'The provider could not be reached, or did not respond', { cause });
  }
  return {
    status: response.status,
    headers: response.headers,
    body: await readBody(response),
    retryAfterSeconds: retryAfter(response.headers.get('retry-after'), context.now()),
  };
}

const isGone = ({ status }: ProviderReply) => status === 404 || status === 410;

/** Errors that happen before the first byte of a request is sent; any other may have happened after the last. */
const BEFORE_SENDING = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const failureSchema = v.object({
  name: v.optional(v.string()),
  code: v.optional(v.unknown()),
  cause: v.optional(v.unknown()),
});

function wasNeverSent(error: unknown): boolean {
  const failure = v.safeParse(failureSchema, error);
  if (!failure.success) return false;
  const { name, code, cause } = failure.output;
  return name === 'EgressRefused' || BEFORE_SENDING.has(String(code)) || wasNeverSent(cause);
}

/**
 * A time-out, a conflict with what may be our own earlier call, a connection that was closed: none of them means no.
 */
const NO_ANSWERS = [408, 409, 425, 499];

/**
 * A 5xx comes from a server that may have begun, or from a proxy in front of one, also if it says when to come back. An
 * adapter that knows better of its vendor says so in `errors`.
 */
function kindOf({ status }: ProviderReply): ProviderErrorKind {
  if (status === 429) return 'rate_limited';
  if (status === 401 || status === 402 || status === 403) return 'credential';
  const isNoAnswer = status < 300 || status >= 500 || NO_ANSWERS.includes(status);
  return isNoAnswer ? 'ambiguous' : 'refused';
}
