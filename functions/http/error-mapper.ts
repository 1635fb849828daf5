import { isOverload } from '../aws/overload.ts';
import type { Log } from '../log.ts';
import { ApiError, Overloaded, Unexpected } from './errors.ts';
import { type ApiResponse, errorResponse } from './response.ts';

export interface ErrorContext {
  readonly log: Log;
  /** Whether the route's table of statuses has a 503. */
  readonly answers503: boolean;
  /** Whether the caller reads the errors of OpenAI's API. */
  readonly forOpenai?: boolean;
}

/**
 * The one place where an exception becomes a body. A 5xx never says what went wrong inside: the cause goes to the log,
 * under the request id that the caller has too.
 */
export function toErrorResponse(
  thrown: unknown,
  { log, answers503, forOpenai }: ErrorContext,
): ApiResponse<string> {
  const error = toApiError(thrown, answers503);
  if (error.status >= 500) log.error('request failed', { error: thrown });
  else log.info('request refused', { status: error.status, reason: error.message });
  return errorResponse(error, forOpenai);
}

function toApiError(thrown: unknown, answers503: boolean): ApiError {
  if (thrown instanceof ApiError) return thrown;
  return isOverload(thrown)
    ? new Overloaded(answers503, { cause: thrown })
    : new Unexpected({ cause: thrown });
}
