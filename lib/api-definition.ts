import { Aws } from 'aws-cdk-lib';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { type Route, routes } from '../functions/http/routes.ts';
import { type PerRoute, routeIds } from './endpoints.ts';
import { gatewayResponses } from './gateway-responses.ts';

export interface ApiDefinitionProps {
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
