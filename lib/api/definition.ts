import { Aws } from 'aws-cdk-lib';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { type RouteId, routes } from '../../functions/endpoints/definitions.ts';
import type { ErrorType } from '../../functions/http/errors.ts';
import { COMMON_HEADERS, errorBody } from '../../functions/http/response.ts';
import type { Route } from '../../functions/http/routes.ts';

export type PerRoute<Value> = Readonly<Record<RouteId, Value>>;

const isRouteId = (id: string): id is RouteId => id in routes;

const routeIds: readonly RouteId[] = Object.keys(routes).filter(isRouteId);

export function forEachRoute<Value>(make: (id: RouteId, route: Route) => Value): PerRoute<Value> {
  return Object.fromEntries(routeIds.map((id) => [id, make(id, routes[id])])) as PerRoute<Value>;
}

interface ApiDefinitionProps {
  readonly name: string;
  readonly description: string;
  readonly handlers: PerRoute<IFunction>;
  /** Answers requests without a route: unknown paths, other methods, browsers' preflights. */
  readonly fallback: IFunction;
  /** The role with which API Gateway calls functions. */
  readonly invoker: IRole;
}

/** All methods are listed, because not every importer knows API Gateway's `x-amazon-apigateway-any-method`. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** Every path of the stage that no route has. */
const UNROUTED = ['/', '/{proxy+}', '/v1', '/v1/{proxy+}'];

/**
 * The API as an OpenAPI document for API Gateway to import. As separate CloudFormation resources its paths, methods and
 * permissions would be more than half of the 500 that a stack may have.
 */
export function apiDefinition({ name, description, handlers, fallback, invoker }: ApiDefinitionProps) {
  const integrate = (handler: IFunction) => integration(handler, invoker);
  const unrouted = integrate(fallback);
  const paths = new Map<string, Record<string, unknown>>();
  for (const path of [...UNROUTED, ...Object.values<Route>(routes).map((route) => `/v1${route.path}`)]) {
    const operations = METHODS.map((method) => [method.toLowerCase(), unrouted]);
    paths.set(path, { ...parametersOf(path), ...Object.fromEntries(operations) });
  }
  for (const routeId of routeIds) {
    const { method, path }: Route = routes[routeId];
    const operation = integrate(handlers[routeId]);
    // HEAD gets the same response as GET; the server in front leaves the body out (RFC 9110 §9.3.2).
    const methods =
      method === 'GET' ? { get: operation, head: operation } : { [method.toLowerCase()]: operation };
    paths.set(`/v1${path}`, { ...paths.get(`/v1${path}`), ...methods });
  }
  return {
    openapi: '3.0.1',
    info: { title: name, description, version: '1' },
    paths: Object.fromEntries(paths),
    'x-amazon-apigateway-gateway-responses': gatewayResponses(),
  };
}

function integration(handler: IFunction, invoker: IRole) {
  return {
    responses: {},
    'x-amazon-apigateway-integration': {
      type: 'aws_proxy',
      httpMethod: 'POST',
      uri: `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}:lambda:path/2015-03-31/functions/${handler.functionArn}/invocations`,
      credentials: invoker.roleArn,
    },
  };
}

function parametersOf(path: string): { readonly parameters?: readonly object[] } {
  const names = [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => name);
  if (names.length === 0) return {};
  return {
    parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
  };
}

/** The responses that API Gateway gives without a function: in our error body, with our headers. */
function gatewayResponses() {
  return {
    DEFAULT_4XX: response(400, 'invalid_request', 'The request is malformed'),
    DEFAULT_5XX: failure(502),
    API_CONFIGURATION_ERROR: failure(500),
    INTEGRATION_FAILURE: failure(504),
    INTEGRATION_TIMEOUT: failure(504),
    MISSING_AUTHENTICATION_TOKEN: response(404, 'not_found', 'No such path; the API lives under /api/v1'),
    ACCESS_DENIED: response(403, 'permission_denied', 'This address is not open to this request'),
    WAF_FILTERED: response(403, 'permission_denied', 'The request was refused by a firewall'),
    REQUEST_TOO_LARGE: response(413, 'payload_too_large', 'The request is too large for this address'),
    THROTTLED: response(429, 'rate_limit_exceeded', 'Too many requests', { 'retry-after': '1' }),
    QUOTA_EXCEEDED: response(429, 'rate_limit_exceeded', 'Too many requests'),
  };
}

/**
 * Keeps API Gateway's own status. If we set the status, API Gateway would count the response as the caller's error
 * (4XXError), and crashing functions would raise no alarm.
 */
function failure(status: number) {
  const { statusCode: _, ...body } = response(status, 'server', 'Something went wrong on our side');
  return body;
}

function response(
  statusCode: number,
  errorType: ErrorType,
  message: string,
  own: Readonly<Record<string, string>> = {},
) {
  const body = errorBody({ status: statusCode, errorType, message });
  const constants = Object.entries({ ...COMMON_HEADERS, ...own }).map(([name, value]) => [
    name,
    `'${value}'`,
  ]);
  const headers = [['x-request-id', 'context.requestId'], ...constants];
  return {
    statusCode,
    responseParameters: Object.fromEntries(
      headers.map(([name, value]) => [`gatewayresponse.header.${name}`, value]),
    ),
    responseTemplates: { 'application/json': JSON.stringify(body) },
  };
}
