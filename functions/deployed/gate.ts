import { randomBytes } from 'node:crypto';
import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import * as v from 'valibot';
import { AuditTrail } from '../audit/audit-trail.ts';
import { dynamo } from '../aws/dynamo.ts';
import { systemClock } from '../clock.ts';
import { setting } from '../environment.ts';
import { type ReplayPorts, ReplayStore } from '../gate/answer-once.ts';
import { type AuditPorts, recorded } from '../gate/auditing.ts';
import { createAuthenticator } from '../gate/authentication.ts';
import { BucketStore } from '../gate/bucket-store.ts';
import { deployedEntrance, type Entrance, publicUrl, viewerAddress } from '../gate/entrance.ts';
import { type Gate, type RequestHandler, serve, servePublic } from '../gate/gate.ts';
import { RateLimiter } from '../gate/rate-limiter.ts';
import type { AuthenticatedCall, Call, Headers, RequestHead } from '../http/call.ts';
import { joinedHeaders, requestId } from '../http/headers.ts';
import type { ApiResponse } from '../http/response.ts';
import {
  isAudited,
  type KeyedRoute,
  type PathOf,
  type PathParameters,
  type PublicRoute,
  type Route,
} from '../http/routes.ts';
import { KeyStore } from '../keys/key-store.ts';
import { KeyUses } from '../keys/key-uses.ts';
import { SessionStore } from '../keys/session-store.ts';
import { log, logAlways, logContext } from '../telemetry/logger.ts';
import { countRequest } from '../telemetry/metrics.ts';

/** The handler of the Lambda that serves one route. It checks the credential before it parses anything. */
export function routeHandler<const R extends KeyedRoute>(
  route: R,
  operation: RequestHandler<AuthenticatedCall<PathOf<R>>>,
): LambdaHandler {
  const { usesNoted, ...gate } = deployedGate(route);
  return lambdaHandler(gate.entrance, async (call) => {
    const answer = await serve(route, call, gate, operation);
    // Lambda freezes the instance once it has answered.
    await usesNoted();
    return answer;
  });
}

/** API Gateway's stage is `api`; its resources begin with the version. */
const VERSION_PREFIX = /^\/v1(?=\/)/;

export type LambdaHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** The handler of a Lambda that anyone may call. It needs no table of keys, and no client for one. */
export function publicHandler(
  route: PublicRoute | undefined,
  operation: RequestHandler<Call<PathParameters>>,
): LambdaHandler {
  const gate = { entrance: deployedEntrance(), countRequest };
  return lambdaHandler(gate.entrance, (call) => servePublic(route, call, gate, operation));
}

/** The shell around the gate on Lambda: it translates API Gateway's event and our answer. */
export function lambdaHandler(
  entrance: Entrance,
  answer: (call: Call<PathParameters>) => Promise<ApiResponse>,
): LambdaHandler {
  const stack = middy<APIGatewayProxyEvent, APIGatewayProxyResult>().handler(async (event) => {
    const call = readCall(event, entrance);
    // Every log line of the request has its id, and of the event nothing but the route.
    logContext({ request_id: call.requestId, route: `${event.httpMethod} ${event.resource}` });
    return toResult(await answer(call));
  });
  return (event, context) => stack(event, context);
}

function readCall(event: APIGatewayProxyEvent, entrance: Entrance): Call<PathParameters> {
  const headers = fieldsOf(event);
  return {
    requestId: requestId(headers['x-request-id'], event.requestContext.requestId),
    method: event.httpMethod,
    pattern: event.resource.replace(VERSION_PREFIX, ''),
    headers,
    path: event.pathParameters ?? {},
    query: queryOf(event),
    body: Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8'),
    publicUrl: publicUrl(headers, event.requestContext.domainName, entrance),
    address: viewerAddress(headers, entrance, event.requestContext.identity?.sourceIp),
    log,
    warnings: [],
  };
}

/**
 * Of a repeated parameter `queryStringParameters` has the last value only. A list repeats a name that ends in brackets:
 * it is handed on as one text, with commas between.
 */
function queryOf({
  queryStringParameters: single,
  multiValueQueryStringParameters: all,
}: APIGatewayProxyEvent): RequestHead['query'] {
  const lists = Object.entries(all ?? {}).filter(([name]) => name.endsWith('[]'));
  return { ...single, ...Object.fromEntries(lists.map(([name, values]) => [name, values?.join(',')])) };
}

/** Of a repeated field `headers` has the last value only. Events of the console's tests have neither. */
const fieldsOf = ({ headers, multiValueHeaders }: APIGatewayProxyEvent): Headers =>
  joinedHeaders(multiValueHeaders ?? headers ?? {});

function toResult({ status, headers, body }: ApiResponse): APIGatewayProxyResult {
  if (typeof body === 'string') return { statusCode: status, headers: { ...headers }, body };
  return {
    statusCode: status,
    headers: { ...headers },
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
  };
}

const onOrOff = v.optional(v.picklist(['on', 'off']), 'off');
const names = v.optional(
  v.pipe(
    v.string(),
    v.transform((list) => list.split(',')),
  ),
  '',
);
const requestRate = v.pipe(v.string(), v.transform(Number), v.integer(), v.minValue(1));

export interface DeployedGate extends Gate<RequestHead<PathParameters>> {
  /** Settles when the uses of all keys accepted so far are noted. */
  usesNoted(): Promise<void>;
}

/** The gate of a route over the deployment's tables, for every transport. */
export function deployedGate(route: KeyedRoute): DeployedGate {
  const keys = new KeyStore(dynamo, setting('keysTable'));
  const sessions = new SessionStore(dynamo, setting('sessionsTable'));
  const uses = new KeyUses(keys, systemClock, log);
  return {
    entrance: deployedEntrance(),
    authenticator: createAuthenticator({ keys, sessions, uses, now: systemClock }),
    strictness: {
      isOn: setting('strict', onOrOff) === 'on',
      queryParameters: setting('queryParameters', names),
    },
    takeToken: routeLimiter(route),
    countRequest,
    ...(isAudited(route) && { record: recorder(route) }),
    usesNoted: () => uses.settled(),
  };
}

export const deployedReplays = (): ReplayPorts => ({
  replays: new ReplayStore(dynamo, setting('replaysTable')),
  now: systemClock,
});

/** Records a route's calls by management keys in the deployment's audit trail. */
export function recorder({ id }: Pick<Route, 'id'>): NonNullable<DeployedGate['record']> {
  const trail = new AuditTrail(dynamo, setting('auditTable'));
  const ports: AuditPorts = {
    trail,
    now: systemClock,
    newName: () => randomBytes(4).toString('hex'),
    log: (entry) => logAlways('audit entry', entry),
  };
  return (call, operate) => recorded(id, call, operate, ports);
}

/** Records that a management key got links to results, which open these without a key. Polls before that leave no entry. */
export function linksRecorder(route: Pick<Route, 'id'>) {
  const record = recorder(route);
  return (
    { query, ...call }: AuthenticatedCall<PathParameters>,
    workspaceId: string,
    shown: readonly { readonly urls?: readonly string[] | undefined }[],
    answer: ApiResponse,
  ): Promise<ApiResponse> =>
    call.principal.kind === 'management' && shown.some(({ urls }) => urls !== undefined)
      ? record({ ...call, query: { ...query, workspace_id: workspaceId } }, async () => answer)
      : Promise.resolve(answer);
}

/** The limiter over the deployment's buckets. */
export function rateLimiter(): RateLimiter {
  const buckets = new BucketStore(dynamo, setting('bucketsTable'));
  return new RateLimiter({ buckets, now: systemClock, log });
}

function routeLimiter({ limit }: Route): Gate['takeToken'] {
  if (limit === undefined) return async () => ({});
  const limiter = rateLimiter();
  const perMinute = setting('requestsPerMinute', requestRate);
  return (principal) => limiter.takeOfKey(principal, limit, perMinute);
}
