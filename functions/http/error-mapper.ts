import type { Log } from '../log.ts';
import { ApiError } from './errors.ts';
import { type ApiResponse, errorResponse, json } from './response.ts';

/**
 * The one place where something thrown becomes a body. A 5xx never says what went wrong inside: the
 * cause goes to the log, under the request id that the caller holds too.
 */
export function toErrorResponse(thrown: unknown, log: Log): ApiResponse<string> {
  if (!(thrown instanceof ApiError)) {
    log.error('request failed', { error: thrown });
    return json(500, {
      error: {
        code: 500,
        message: 'Something went wrong on our side; the request id names this failure in our log',
        metadata: { error_type: 'server' },
      },
    });
  }
  if (thrown.status >= 500) log.error('request failed', { error: thrown });
  else log.info('request refused', { status: thrown.status, reason: thrown.message });
  return errorResponse(thrown);
}
