import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Call, Headers } from '../http/call.ts';
import { joinedHeaders, requestId } from '../http/headers.ts';
import type { ApiResponse } from '../http/response.ts';
import type { PathParameters, PublicRoute } from '../http/routes.ts';
import { log, logContext } from '../telemetry/logger.ts';
import { countRequest } from '../telemetry/metrics.ts';
import { deployedEntrance, type Entrance, publicUrl } from './entrance.ts';
import { type Operation, servePublic } from './gate.ts';

/** API Gateway's stage is `api`; its resources begin with the version. */
const VERSION_PREFIX = /^\/v1(?=\/)/;

export type LambdaHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** The handler of a Lambda that anyone may call. It needs no table of keys, and no client for one. */
export function publicHandler(
  route: PublicRoute | undefined,
  operation: Operation<Call<PathParameters>>,
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
    query: event.queryStringParameters ?? {},
    body: Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8'),
    publicUrl: publicUrl(headers, event.requestContext.domainName, entrance),
    log,
    warnings: [],
  };
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
