import { isOverload } from '../aws/retry.ts';
import { type Admitted, type Principal, type RequestHead, refuseUnread, warnOfUnread } from '../http/call.ts';
import { isOpenaiClient } from '../http/compatibility.ts';
import { ApiError, NotFound, Overloaded, UNKNOWN_PATH, Unexpected } from '../http/errors.ts';
import { type ApiResponse, errorResponse, withCommonHeaders } from '../http/response.ts';
import {
  isPathOf,
  type KeyedRoute,
  type PathOf,
  type PathParameters,
  type PublicRoute,
  type Route,
} from '../http/routes.ts';
import { actedIn } from '../http/scope.ts';
import type { Log } from '../telemetry/log.ts';
import type { RequestReport } from '../telemetry/metrics.ts';
import { redactText } from '../telemetry/redaction.ts';
import type { Authenticator } from './authentication.ts';
import { assertThroughEdge, type Entrance } from './entrance.ts';
import { assertPermitted } from './permission.ts';
import { type Strictness, withStrictness } from './strictness.ts';

const LONGEST_OBJECT = 200;

export type RequestHandler<Call> = (call: Call) => Promise<ApiResponse>;

/** What every request passes. */
export interface PublicGate {
  readonly entrance: Entrance;
  readonly countRequest: (report: RequestReport) => void;
}

/** What a request with a key passes. */
export interface Gate<Head = RequestHead> extends PublicGate {
  readonly authenticator: Authenticator;
  /** @default unknown names get a warning */
  readonly strictness?: Strictness;
  /** Takes a token of the caller's rate and gives the headers that tell what is left. @throws RateLimited */
  readonly takeToken: (principal: Principal) => Promise<Record<string, string>>;
  /** Records a call of a management key around its operation. Absent on routes whose calls are not recorded. */
  readonly record?: (call: Head & Admitted, operate: () => Promise<ApiResponse>) => Promise<ApiResponse>;
}

/** The one way that every request with a key takes, whatever carries it; transports only translate. It never throws. */
export function serve<const R extends KeyedRoute, Head extends RequestHead<PathParameters>>(
  route: R,
  head: Head,
  gate: Gate<Head>,
  operation: RequestHandler<Head & Admitted & { readonly path: PathOf<R> }>,
): Promise<ApiResponse> {
  const { path, query } = head;
  return conclude(route, head, gate, { ...path, id: path.id ?? query.id }, async (noteCaller) => {
    const principal = await gate.authenticator.authenticate(head.headers, route.access);
    noteCaller(principal);
    assertPermitted(principal, route, head.address);
    // The rate comes after the key: an unknown key has no bucket to empty.
    const rate = await gate.takeToken(principal);
    if (!isPathOf(route, path)) throw new NotFound(UNKNOWN_PATH);
    const { strictness } = gate;
    const asked = strictness === undefined ? head : withStrictness(head, strictness);
    const call = { ...asked, principal, path, changes: [] };
    const operate = () => operation(call);
    const record = principal.kind === 'management' ? gate.record : undefined;
    const answer = record === undefined ? await operate() : await record(call, operate);
    return { ...answer, headers: { ...rate, ...answer.headers } };
  });
}

/**
 * The same for a request that anyone may make.
 * @param route undefined where no route matches
 */
export const servePublic = <Head extends RequestHead>(
  route: PublicRoute | undefined,
  head: Head,
  gate: PublicGate,
  operation: RequestHandler<Head>,
): Promise<ApiResponse> =>
  conclude(route, head, gate, {}, async () => {
    const answer = await operation(head);
    // A program that anybody may call does not know the parameters of its operation before it has read them.
    if (head.method === 'GET') refuseUnread(head);
    return answer;
  });

/** Lets in what comes through the edge, answers every error, and counts every request. */
async function conclude(
  route: Route | undefined,
  head: RequestHead,
  { entrance, countRequest }: PublicGate,
  named: PathParameters,
  pass: (noteCaller: (principal: Principal) => void) => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const begun = performance.now();
  let caller: Principal | undefined;
  let address: string | undefined;
  const enter = async () => {
    assertThroughEdge(head.headers, entrance);
    // Whoever goes around the edge could name any.
    address = head.address;
    return pass((principal) => {
      caller = principal;
    });
  };
  let isOwnFailure = false;
  const answer = await enter().catch((error: unknown) => {
    isOwnFailure = isOurs(error);
    const answers503 = route?.answers503 ?? false;
    return toErrorResponse(error, { log: head.log, answers503, forOpenai: isOpenaiClient(head.headers) });
  });
  // A refusal may come before all has been read.
  if (answer.status < 400) warnOfUnread(head);
  countRequest({
    requestId: head.requestId,
    route: `${head.method} ${head.pattern}`,
    status: answer.status,
    isOwnFailure,
    milliseconds: performance.now() - begun,
    caller: caller && { ...caller, workspaceId: actedIn(caller) },
    address,
    // Who has no key may write anything into a path.
    object: caller && objectOf(named, answer),
  });
  return withCommonHeaders(answer, head.requestId, head.warnings);
}

/** What a request was about: what its path or query names, and what it has made. */
function objectOf(named: PathParameters, { status, headers, made }: ApiResponse): string | undefined {
  // The location of a redirect is a link, which opens what it leads to.
  const created = status === 201 || status === 202 ? headers.location?.split('/').at(-1) : undefined;
  const object = [...Object.values(named), made ?? created].filter((name) => name !== undefined).join('/');
  // Somebody may have put a key where an id belongs.
  return object === '' ? undefined : redactText(object).slice(0, LONGEST_OBJECT).toWellFormed();
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

/** Whether an error is no refusal, of ours or of a provider: a mistake, or a service of AWS that is busy. */
const isOurs = (thrown: unknown): boolean =>
  !(thrown instanceof ApiError) || thrown instanceof Unexpected || thrown instanceof Overloaded;

function toApiError(thrown: unknown, answers503: boolean): ApiError {
  if (thrown instanceof ApiError) return thrown;
  return isOverload(thrown)
    ? new Overloaded(answers503, { cause: thrown })
    : new Unexpected({ cause: thrown });
}
