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
  /** Answers what no route does: unknown paths, other methods, browsers' preflights. */
  readonly fallback: IFunction;
  /** As which API Gateway calls functions. */
  readonly invoker: IRole;
}

/** Spelled out, as not every importer knows API Gateway's word for any method. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** What every path below the stage leads to, where no route has it. */
const UNROUTED = ['/', '/{proxy+}', '/v1', '/v1/{proxy+}'];

/**
 * The API as an OpenAPI document for API Gateway to import. As resources of CloudFormation its paths, methods and
 * their permissions would be more than half of the 500 that a stack may have.
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
    // The answer to HEAD is that to GET; whoever carries it leaves the body out (RFC 9110 §9.3.2).
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
