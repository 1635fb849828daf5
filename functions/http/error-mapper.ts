import { isOverload } from '../aws/overload.ts';
import type { Call } from './call.ts';
import { ApiError } from './errors.ts';
import { type ApiResponse, errorResponse, json } from './response.ts';

/** What the SDK's own attempts wait for together; the same request, sent once more, has waited twice as long. */
const RETRY_AFTER_OVERLOAD = { 'retry-after': '2' };

/** Of the tables of statuses, only that of the files has a 503. */
const KNOWS_503 = /^\/files(\/|$)/;

/**
 * The one place where something thrown becomes a body. A 5xx never says what went wrong inside: the
 * cause goes to the log, under the request id that the caller holds too.
 */
export function toErrorResponse(
  thrown: unknown,
  { log, pattern }: Pick<Call, 'log' | 'pattern'>,
): ApiResponse<string> {
  if (!(thrown instanceof ApiError)) {
    log.error('request failed', { error: thrown });
    return isOverload(thrown) ? overloaded(KNOWS_503.test(pattern)) : unexpected();
  }
  if (thrown.status >= 500) log.error('request failed', { error: thrown });
  else log.info('request refused', { status: thrown.status, reason: thrown.message });
  return errorResponse(thrown);
}

function overloaded(as503: boolean): ApiResponse<string> {
  const [code, error_type] = as503 ? [503, 'service_unavailable'] : [500, 'server'];
  const message = 'A service behind this one is busy; try again in a moment';
  return json(code, { error: { code, message, metadata: { error_type } } }, RETRY_AFTER_OVERLOAD);
}

function unexpected(): ApiResponse<string> {
  return json(500, {
    error: {
      code: 500,
      message: 'Something went wrong on our side; the request id names this failure in our log',
      metadata: { error_type: 'server' },
    },
  });
}
