import * as v from 'valibot';
import { readBody } from '../../upstream/reply-body.ts';
import { retryAfter } from '../../upstream/retry-after.ts';
import { readUpstreamError, type UpstreamError } from '../../upstream/upstream-error.ts';
import { type ProviderContext, ProviderError, type ProviderErrorKind } from './provider.ts';

export interface ProviderRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: URL | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: FormData;
}

export interface ProviderReply {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined where it is not JSON, is cut short or is too long to be read. */
  readonly body: unknown;
  readonly retryAfterSeconds: number | undefined;
}

/** What an adapter knows of its vendor's errors; undefined leaves it to the status. */
export type ErrorMap = (
  error: UpstreamError,
  status: number,
  headers: Headers,
) => ProviderErrorKind | undefined;

/**
 * One JSON exchange with a provider, in the shape that a success has.
 * @throws ProviderError for everything else
 */
export async function exchange<const Schema extends v.GenericSchema>(
  request: ProviderRequest,
  schema: Schema,
  context: ProviderContext,
  errors: ErrorMap = () => undefined,
): Promise<v.InferOutput<Schema>> {
  const reply = await send(request, context);
  if (reply.status < 200 || reply.status >= 300) throw errorOf(reply, context, errors);
  const parsed = v.safeParse(schema, reply.body);
  if (parsed.success) return parsed.output;
  // Some vendors say what is wrong under a 200.
  const known = errors(readUpstreamError(reply.body), reply.status, reply.headers);
  if (known !== undefined) throw errorOf(reply, context, errors);
  throw new ProviderError('ambiguous', 'The provider answered with something that is not understood');
}

/** @throws ProviderError when there is no answer */
export async function send(request: ProviderRequest, context: ProviderContext): Promise<ProviderReply> {
  const { method = 'GET', url, headers, json, form } = request;
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
      ...(body === undefined ? {} : { body }),
    });
  } catch (cause) {
    throw new ProviderError(
      wasNeverSent(cause) ? 'unavailable' : 'ambiguous',
      'The provider did not answer',
      {
        cause,
      },
    );
  }
  return {
    status: response.status,
    headers: response.headers,
    body: await readBody(response),
    retryAfterSeconds: retryAfter(response.headers.get('retry-after'), context.now()),
  };
}

/** What a reply means that is not what was asked for. */
export function errorOf(reply: ProviderReply, context: ProviderContext, errors: ErrorMap): ProviderError {
  const upstream = readUpstreamError(reply.body, context.apiKey);
  const kind = errors(upstream, reply.status, reply.headers) ?? kindOf(reply);
  const said = upstream.message ?? upstream.code;
  const message = `The provider answered ${reply.status}${said === undefined ? '' : `: ${said}`}`;
  return new ProviderError(kind, message, {
    ...(reply.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: reply.retryAfterSeconds }),
  });
}

/**
 * A 5xx comes from a server that may have begun, or from a proxy in front of one; only one that says when
 * to come back has said that it did not.
 */
function kindOf({ status, retryAfterSeconds }: ProviderReply): ProviderErrorKind {
  if (status === 429) return 'rate_limited';
  if (status === 401 || status === 402 || status === 403) return 'credential';
  if (status === 503 && retryAfterSeconds !== undefined) return 'unavailable';
  return status < 300 || status >= 500 ? 'ambiguous' : 'refused';
}

/** Failures before the first byte of a request; every other may have come after its last. */
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
