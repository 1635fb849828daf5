import * as v from 'valibot';
import { defined } from '../../../defined.ts';
import { readBody } from '../../../upstream/reply-body.ts';
import { retryAfter } from '../../../upstream/retry-after.ts';
import { type ProviderContext, ProviderError } from '../provider.ts';

export interface ProviderRequest {
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
export async function send(request: ProviderRequest, context: ProviderContext): Promise<ProviderReply> {
  // The time began before the job's inputs were read.
  if (context.signal.aborted) {
    const options = { cause: context.signal.reason, wasAsked: false };
    throw new ProviderError('unavailable', 'There was no time left to ask the provider', options);
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
    throw new ProviderError(kind, 'The provider did not answer', { cause });
  }
  return {
    status: response.status,
    headers: response.headers,
    body: await readBody(response),
    retryAfterSeconds: retryAfter(response.headers.get('retry-after'), context.now()),
  };
}

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
