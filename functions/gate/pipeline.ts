import middy, { type MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { log, logContext } from '../aws/logger.ts';
import { countRequest } from '../aws/metrics.ts';
import type { Call, Headers } from '../http/call.ts';
import { toErrorResponse } from '../http/error-mapper.ts';
import type { Principal } from '../http/principal.ts';
import { PUBLIC_URL_HEADER, publicUrl } from '../http/public-url.ts';
import { requestId } from '../http/request-id.ts';
import { type ApiResponse, withCommonHeaders } from '../http/response.ts';

/** API Gateway's stage is `api`; its resources begin with the version. */
const VERSION_PREFIX = /^\/v1(?=\/)/;

/** What the middlewares find out about a request, for the operation at the end of the stack. */
export interface RequestContext extends Context {
  call: Call;
  principal: Principal | undefined;
  /** Added to the operation's answer, not to an error's. */
  answerHeaders: Readonly<Record<string, string>>;
}

export type Middleware = MiddlewareObj<APIGatewayProxyEvent, ApiResponse, Error, RequestContext>;
export type LambdaHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** An operation behind what every request goes through: its own middlewares, errors as bodies, metrics. */
export function pipeline(
  middlewares: Middleware[],
  operation: (context: RequestContext) => Promise<ApiResponse>,
): LambdaHandler {
  const stack = middy<APIGatewayProxyEvent, ApiResponse, Error, RequestContext>()
    .use([reading(), errors(), ...middlewares])
    .handler(async (_event, context) => {
      const answer = await operation(context);
      return { ...answer, headers: { ...context.answerHeaders, ...answer.headers } };
    });
  return async (event, context) => {
    const begun = performance.now();
    const requestContext: RequestContext = {
      ...context,
      call: readCall(event),
      principal: undefined,
      answerHeaders: {},
    };
    const result = toResult(await stack(event, requestContext), requestContext.call.requestId);
    countRequest(result.statusCode, performance.now() - begun);
    return result;
  };
}

/** Every log line of the request carries its id, and says nothing of the event but its route. */
function reading(): Middleware {
  return {
    before: ({ event, context }) => {
      logContext({
        request_id: context.call.requestId,
        route: `${event.httpMethod} ${event.resource}`,
      });
    },
  };
}

function errors(): Middleware {
  return {
    onError: (request) => {
      request.response = toErrorResponse(request.error, request.context.call);
    },
  };
}

function readCall(event: APIGatewayProxyEvent): Call {
  const headers = lowerCased(event.headers);
  return {
    requestId: requestId(headers['x-request-id'], event.requestContext.requestId),
    method: event.httpMethod,
    pattern: event.resource.replace(VERSION_PREFIX, ''),
    headers,
    path: event.pathParameters ?? {},
    query: event.queryStringParameters ?? {},
    body: Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8'),
    publicUrl: publicUrl(headers[PUBLIC_URL_HEADER], event.requestContext.domainName),
    log,
  };
}

function lowerCased(headers: APIGatewayProxyEvent['headers'] | null): Headers {
  return Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

function toResult(response: ApiResponse, id: string): APIGatewayProxyResult {
  const { status, headers, body } = withCommonHeaders(response, id);
  if (typeof body === 'string') return { statusCode: status, headers, body };
  return {
    statusCode: status,
    headers,
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
  };
}
