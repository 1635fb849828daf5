import { defined } from '../../../defined.ts';
import { readUpstreamError, type UpstreamError } from '../../../upstream/upstream-error.ts';
import { type ProviderContext, ProviderError, type ProviderErrorKind } from '../provider.ts';
import type { ProviderReply } from './http-exchange.ts';

/** What an adapter knows of its vendor's errors; undefined leaves the decision to the status. */
export type ErrorMap = (
  error: UpstreamError,
  status: number,
  headers: Headers,
) => ProviderErrorKind | undefined;

/** The error that an unexpected reply means. */
export function errorOf(reply: ProviderReply, context: ProviderContext, errors: ErrorMap): ProviderError {
  const upstream = readUpstreamError(reply.body, context.apiKey);
  const kind = errors(upstream, reply.status, reply.headers) ?? kindOf(reply);
  const said = upstream.message ?? upstream.code;
  const message = `The provider answered ${reply.status}${said === undefined ? '' : `: ${said}`}`;
  return new ProviderError(kind, message, defined({ retryAfterSeconds: reply.retryAfterSeconds }));
}

/**
 * A time-out, a conflict with what may be our own earlier call, a connection that was closed: none of them means no.
 */
const NO_ANSWERS = [408, 409, 425, 499];

/**
 * A 5xx comes from a server that may have begun, or from a proxy in front of one. Only a `retry-after` says that it has
 * not begun.
 */
function kindOf({ status, retryAfterSeconds }: ProviderReply): ProviderErrorKind {
  if (status === 429) return 'rate_limited';
  if (status === 401 || status === 402 || status === 403) return 'credential';
  if (status === 503 && retryAfterSeconds !== undefined) return 'unavailable';
  const isNoAnswer = status < 300 || status >= 500 || NO_ANSWERS.includes(status);
  return isNoAnswer ? 'ambiguous' : 'refused';
}
