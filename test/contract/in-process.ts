import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { LambdaHandler } from '../../functions/deployed/gate.ts';
import { type RouteId, routes } from '../../functions/endpoints/definitions.ts';
import type { Route } from '../../functions/http/routes.ts';
import { deployedFunctions } from '../deployed/deployed-functions.ts';
import { stage } from './stage.ts';

/** Switches off the functions' own logs and metrics. */
const QUIET = { POWERTOOLS_LOG_LEVEL: 'SILENT', METRICS_NAMESPACE: '' };

/** Points the handlers' AWS clients at the stage, or at a proxy in front of it. */
export function reachAws(endpoint: string): void {
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: stage.aws.region,
    AWS_ACCESS_KEY_ID: stage.aws.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: stage.aws.credentials.secretAccessKey,
  });
}

/** Loads a route's function into this process with this environment. */
export async function handlerOf(
  routeId: RouteId,
  environment: Readonly<Record<string, string>>,
): Promise<LambdaHandler> {
  Object.assign(process.env, environment, QUIET);
  const [file] = globSync(`functions/endpoints/**/${routeId}.ts`);
  const { handler } = await import(resolve(file ?? routeId));
  return handler;
}

export interface Invocation {
  readonly key: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: Record<string, string> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body: Uint8Array;
}

/** Builds the event that API Gateway would send to a function. */
export const eventOf = (route: Route, { key, parameters, query, headers, body }: Invocation) =>
  ({
    httpMethod: route.method,
    resource: `/v1${route.path}`,
    pathParameters: parameters ?? null,
    headers: { ...headers, authorization: `Bearer ${key}`, 'x-genway-edge': stage.edgeSecret },
    queryStringParameters: query ?? null,
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
    requestContext: { requestId: 'calls', domainName: 'api.example' },
  }) as unknown as APIGatewayProxyEvent;

/**
 * A `fetch` that runs the stage's functions in this process, on the stage's tables and buckets. A test can change their
 * environment, and so try a setting without another deployment.
 */
export async function inProcess(
  change: Readonly<Record<string, string>>,
): Promise<(request: Request) => Promise<Response>> {
  const functions = await deployedFunctions(stage.aws);
  reachAws(stage.aws.endpoint);
  return async (request) => {
    const { routeId, parameters } = routeOf(request);
    const handler = await handlerOf(routeId, {
      ...functions.get(routeId)?.Environment?.Variables,
      ...change,
    });
    const event = eventOf(routes[routeId], {
      key: request.headers.get('authorization')?.replace('Bearer ', '') ?? '',
      parameters,
      query: Object.fromEntries(new URL(request.url).searchParams),
      headers: Object.fromEntries(request.headers),
      body: await request.bytes(),
    });
    const { statusCode, headers, body } = await handler(event, {} as Context);
    const entries = Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]);
    return new Response(body, { status: statusCode, headers: Object.fromEntries(entries) });
  };
}

function routeOf({ method, url }: Request): { routeId: RouteId; parameters: Record<string, string> } {
  const { pathname } = new URL(url);
  for (const [id, route] of Object.entries<Route>(routes)) {
    const pattern = route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    const found = new RegExp(`/v1${pattern}$`).exec(pathname);
    if (found !== null && route.method === method)
      return { routeId: id as RouteId, parameters: { ...found.groups } };
  }
  throw new Error(`no route for ${method} ${pathname}`);
}
