import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { LambdaHandler } from '../../functions/gate/lambda.ts';
import { type Route, type RouteId, routes } from '../../functions/http/routes.ts';
import { functionEnvironments } from './function-environment.ts';
import { stage } from './stage.ts';

/**
 * The functions of the deployed stage, run here on its tables and buckets, with what a test wants different in their
 * environment: what another setting does is seen without another deployment.
 */
export async function inProcess(
  change: Record<string, string>,
): Promise<(request: Request) => Promise<Response>> {
  const environments = await functionEnvironments((value) => value);
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: stage.aws.endpoint,
    AWS_REGION: stage.aws.region,
    AWS_ACCESS_KEY_ID: stage.aws.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: stage.aws.credentials.secretAccessKey,
  });
  const quiet = { POWERTOOLS_LOG_LEVEL: 'SILENT', POWERTOOLS_METRICS_DISABLED: 'true' };
  return async (request) => {
    const { routeId, path } = routeOf(request);
    Object.assign(process.env, environments.get(routeId), quiet, change);
    const [file = routeId] = globSync(`functions/endpoints/**/${routeId}.ts`);
    const { handler }: { handler: LambdaHandler } = await import(resolve(file));
    const { statusCode, headers, body } = await handler(await eventOf(request, routeId, path), {} as Context);
    const entries = Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]);
    return new Response(body, { status: statusCode, headers: Object.fromEntries(entries) });
  };
}

function routeOf({ method, url }: Request): { routeId: RouteId; path: Record<string, string> } {
  const { pathname } = new URL(url);
  for (const [id, route] of Object.entries<Route>(routes)) {
    const pattern = route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    const found = new RegExp(`/v1${pattern}$`).exec(pathname);
    if (found !== null && route.method === method)
      return { routeId: id as RouteId, path: { ...found.groups } };
  }
  throw new Error(`no route for ${method} ${pathname}`);
}

async function eventOf(request: Request, routeId: RouteId, path: Record<string, string>) {
  return {
    httpMethod: request.method,
    resource: `/v1${routes[routeId].path}`,
    pathParameters: path,
    headers: { ...Object.fromEntries(request.headers), 'x-genway-edge': stage.edgeSecret },
    queryStringParameters: Object.fromEntries(new URL(request.url).searchParams),
    body: Buffer.from(await request.arrayBuffer()).toString('base64'),
    isBase64Encoded: true,
    requestContext: { requestId: 'in-process', domainName: 'api.example' },
  } as unknown as APIGatewayProxyEvent;
}
