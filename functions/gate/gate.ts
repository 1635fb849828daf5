import { isOverload } from '../aws/retry.ts';
import { type Admitted, type Headers, type Principal, type RequestHead, warnOfUnread } from '../http/call.ts';
import { isOpenaiClient } from '../http/compatibility.ts';
import { ApiError, Overloaded, Unexpected } from '../http/errors.ts';
import { type ApiResponse, errorResponse, withCommonHeaders } from '../http/response.ts';
import type { KeyedRoute, Route } from '../http/routes.ts';
import type { Log } from '../telemetry/log.ts';
import type { RequestReport } from '../telemetry/metrics.ts';
import type { Authenticator } from './authentication.ts';
import { assertThroughEdge, type Entrance } from './entrance.ts';

export type Operation<Head> = (call: Head) => Promise<ApiResponse>;

/** What stands before an operation that is not public. */
export interface Guards {
  readonly authenticator: Authenticator;
  /** Takes a token of the caller's rate and gives the headers that tell what is left. @throws RateLimited */
  readonly takeToken: (principal: Principal) => Promise<Record<string, string>>;
}

/** The caller of each request under way, once known, for the line that is logged at its end, however it ends. */
const callers = new WeakMap<object, Principal>();

/** An operation behind its guards. The rate comes after the key: an unknown key has no bucket to empty. */
export function guarded<Head extends { readonly headers: Headers }>(
  { access }: KeyedRoute,
  { authenticator, takeToken }: Guards,
  operation: Operation<Head & Admitted>,
): Operation<Head> {
  return async (head) => {
    const principal = await authenticator.authenticate(head.headers, access);
    callers.set(head, principal);
    const rate = await takeToken(principal);
    const answer = await operation({ ...head, principal });
    return { ...answer, headers: { ...rate, ...answer.headers } };
  };
}

export interface GatePorts {
  readonly entrance: Entrance;
  readonly countRequest: (report: RequestReport) => void;
}

/**
 * The one way that every request takes, whatever carries it; transports only translate. It never throws, and it counts
 * every request.
 * @param route undefined where no route matches
 */
export async function serve<Head extends RequestHead>(
  route: Route | undefined,
  head: Head,
  operation: Operation<Head>,
  { entrance, countRequest }: GatePorts,
): Promise<ApiResponse> {
  const begun = performance.now();
  const answer = await enter(head, operation, entrance).catch((error: unknown) =>
    toErrorResponse(error, {
      log: head.log,
      answers503: route?.answers503 ?? false,
      forOpenai: isOpenaiClient(head.headers),
    }),
  );
  // A refusal may come before all has been read.
  if (answer.status < 400) warnOfUnread(head);
  countRequest({
    requestId: head.requestId,
    route: `${head.method} ${head.pattern}`,
    status: answer.status,
    milliseconds: performance.now() - begun,
    caller: callers.get(head),
  });
  return withCommonHeaders(answer, head.requestId, head.warnings);
}

async function enter<Head extends RequestHead>(
  head: Head,
  operation: Operation<Head>,
  entrance: Entrance,
): Promise<ApiResponse> {
  assertThroughEdge(head.headers, entrance);
  return operation(head);
}

interface ErrorContext {
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
