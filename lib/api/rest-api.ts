import { Aws, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  ApiDefinition,
  EndpointType,
  LogGroupLogDestination,
  SpecRestApi,
  type StageOptions,
} from 'aws-cdk-lib/aws-apigateway';
import { type IRole, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type RouteId, routes } from '../../functions/endpoints/definitions.ts';
import { type ErrorType, UNKNOWN_PATH } from '../../functions/http/errors.ts';
import { COMMON_HEADERS, errorBody } from '../../functions/http/response.ts';
import type { Route } from '../../functions/http/routes.ts';
import { BUSIEST_ROUTES } from '../../functions/telemetry/own-metrics.ts';
import { acceptFinding } from '../constructs/accept-finding.ts';
import { logLifeOf } from '../constructs/own-keys.ts';
import { type Capability, GenwayFunction, Role } from '../constructs/program.ts';
import { type StageConfig, titleOf } from '../stage/config.ts';

/**
 * Never the query string, and no header: a caller may put a key into either by mistake. The address is that of the edge,
 * where there is one; the lines of the functions have the caller's.
 */
const FIELDS = {
  request_id: '$context.requestId',
  time: '$context.requestTimeEpoch',
  ip: '$context.identity.sourceIp',
  method: '$context.httpMethod',
  route: '$context.resourcePath',
  status: '$context.status',
  bytes: '$context.responseLength',
  milliseconds: '$context.responseLatency',
  function_status: '$context.integration.status',
  function_milliseconds: '$context.integration.latency',
  gateway_error: '$context.error.responseType',
};

/** One log line for each request, including those that API Gateway answers itself. */
function accessLog(scope: Construct, config: StageConfig): StageOptions {
  const group = new LogGroup(scope, 'AccessLog', {
    // Beside those of the programs, so that questions to the stage's logs are asked of it too.
    logGroupName: `/${Stack.of(scope).stackName}/access-log`,
    ...logLifeOf(scope, 'AccessLog', config),
  });
  return {
    accessLogDestination: new LogGroupLogDestination(group),
    accessLogFormat: AccessLogFormat.custom(JSON.stringify(FIELDS)),
  };
}

/** Every function gets the body as the caller's bytes, and decides about it itself. */
const BINARY = ['*/*'];

interface RestApiProps {
  readonly config: StageConfig;
  /** What the function of each endpoint may do. */
  readonly rights: PerRoute<Capability>;
  /** What the function that answers all other requests may do. */
  readonly fallbackRights: Capability;
}

type Names<Rows extends Readonly<Record<string, Route>>> = {
  [Id in keyof Rows]: `${Rows[Id]['method']} ${Rows[Id]['path']}`;
}[keyof Rows];

/** A name that no route has any more does not compile: that route would lose its gradual deployment, and nobody notice. */
const busiestRoutes: readonly Names<typeof routes>[] = BUSIEST_ROUTES;

/** Gradual deployments for all endpoints would use a third of the stack's resources. */
const isGradualRoute = ({ method, path }: Route): boolean =>
  busiestRoutes.some((busiest) => busiest === `${method} ${path}`);

/**
 * The HTTP API at `/api/v1`, with one function for each endpoint. `api` is the stage's name; `v1` is the first part of
 * its paths. It is a REST API, because only its gateway responses can carry our error body.
 */
export class RestApi extends Construct {
  readonly api: SpecRestApi;
  /** Its name in CloudWatch. */
  readonly name: string;

  constructor(scope: Construct, id: string, { config, rights, fallbackRights }: RestApiProps) {
    super(scope, id);
    const fallback = new GenwayFunction(this, 'AnswerUnrouted', {
      config,
      name: 'answer-unrouted',
      can: [fallbackRights],
    });
    const handlers = forEachRoute((routeId, route) => {
      const can = [rights[routeId]];
      const isGradual = isGradualRoute(route);
      return new GenwayFunction(this, routeId, { config, name: routeId, can, isGradual });
    });
    this.name = titleOf(config);
    this.api = new SpecRestApi(this, 'Api', {
      restApiName: this.name,
      endpointTypes: [EndpointType.REGIONAL],
      binaryMediaTypes: BINARY,
      deployOptions: {
        stageName: 'api',
        throttlingRateLimit: config.throttle.requestsPerSecond,
        throttlingBurstLimit: config.throttle.burst,
        tracingEnabled: config.tracing,
        ...(config.accessLog ? accessLog(this, config) : {}),
      },
      // API Gateway writes access logs with one role of the account. Other stages share that role, so it must stay.
      cloudWatchRole: config.accessLog,
      ...(config.accessLog ? { cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN } : {}),
      apiDefinition: ApiDefinition.fromInline(
        apiDefinition({
          name: this.name,
          description: 'Genway, a gateway for generative models',
          handlers: forEachRoute((routeId) => handlers[routeId].callable),
          fallback,
          ...this.#invokers(handlers, fallback),
        }),
      ),
    });
    this.#explain(config);
  }

  #explain({ accessLog }: StageConfig): void {
    const accept = (rule: string, reason: string) => acceptFinding(this.api, rule, reason);
    if (!accessLog) accept('APIG1', 'The setting accessLog leaves it out; the functions log each request');
    accept('APIG2', 'Requests are validated by the functions, with errors that say what would be right');
    accept('APIG3', 'A firewall belongs before the edge, which is the only way in: the setting webAclArn');
    accept('APIG6', 'Execution logs would hold whole requests, keys among them; access logs do not');
    const policy = 'arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs';
    accept(`IAM4[Policy::${policy}]`, 'The account’s role for access logs, as AWS defines it');
  }

  /**
   * Roles that may call many functions, instead of a permission for each. IAM takes 10,240 characters of rights in a role,
   * and one role for all endpoints would soon have more.
   */
  #invokers(handlers: PerRoute<GenwayFunction>, fallback: GenwayFunction) {
    const reads = routeIds.filter((each) => routes[each].method === 'GET').map((each) => handlers[each]);
    const others = Object.values(handlers).filter((each) => !reads.includes(each));
    const reader = this.#invokerOf('ReadsInvoker', reads);
    const fallbackInvoker = this.#invokerOf('Invoker', [fallback, ...others]);
    const invokerOf = ({ method }: Route) => (method === 'GET' ? reader : fallbackInvoker);
    return { invokerOf, fallbackInvoker };
  }

  #invokerOf(id: string, handlers: readonly GenwayFunction[]): Role {
    const conditions = { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } };
    const assumedBy = new ServicePrincipal('apigateway.amazonaws.com', { conditions });
    const role = new Role(this, id, { assumedBy });
    role.addToPolicy(
      new PolicyStatement({
        actions: ['lambda:InvokeFunction'],
        resources: handlers.map((handler) => handler.callable.functionArn),
      }),
    );
    return role;
  }
}

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
  /** The roles with which API Gateway calls functions. */
  readonly invokerOf: (route: Route) => IRole;
  readonly fallbackInvoker: IRole;
}

/** All methods are listed, because not every importer knows API Gateway's `x-amazon-apigateway-any-method`. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** Every path of the stage that no route has. */
const UNROUTED = ['/', '/{proxy+}', '/v1', '/v1/{proxy+}'];

/**
 * The API as an OpenAPI document for API Gateway to import. As separate CloudFormation resources its paths, methods and
 * permissions would be more than half of the 500 that a stack may have.
 */
function apiDefinition({
  name,
  description,
  handlers,
  fallback,
  invokerOf,
  fallbackInvoker,
}: ApiDefinitionProps) {
  const unrouted = integration(fallback, fallbackInvoker);
  const paths = new Map<string, Record<string, unknown>>();
  for (const path of [...UNROUTED, ...Object.values<Route>(routes).map((route) => `/v1${route.path}`)]) {
    const operations = METHODS.map((method) => [method.toLowerCase(), unrouted]);
    paths.set(path, { ...parametersOf(path), ...Object.fromEntries(operations) });
  }
  for (const routeId of routeIds) {
    const route: Route = routes[routeId];
    const { method, path } = route;
    const operation = integration(handlers[routeId], invokerOf(route));
    // HEAD gets the same response as GET; the server in front leaves the body out (RFC 9110 §9.3.2).
    const methods =
      method === 'GET' ? { get: operation, head: operation } : { [method.toLowerCase()]: operation };
    paths.set(`/v1${path}`, { ...paths.get(`/v1${path}`), ...methods });
  }
  return {
    openapi: '3.0.1',
    info: { title: name, description, version: '1' },
    paths: Object.fromEntries(paths),
    // An import replaces what the API has been told before, so the document says it as well.
    'x-amazon-apigateway-binary-media-types': BINARY,
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

/**
 * The responses that API Gateway gives without a function: in our error body, with our headers. The default would give
 * its own status to all that are not listed.
 */
function gatewayResponses() {
  const refused = response(403, 'permission_denied', 'This request is not allowed');
  return {
    DEFAULT_4XX: response(400, 'invalid_request', 'The request is malformed'),
    DEFAULT_5XX: failure(502),
    API_CONFIGURATION_ERROR: failure(500),
    INTEGRATION_FAILURE: failure(504),
    INTEGRATION_TIMEOUT: failure(504),
    MISSING_AUTHENTICATION_TOKEN: response(404, 'not_found', UNKNOWN_PATH),
    RESOURCE_NOT_FOUND: response(404, 'not_found', UNKNOWN_PATH),
    ACCESS_DENIED: refused,
    EXPIRED_TOKEN: refused,
    INVALID_API_KEY: refused,
    INVALID_SIGNATURE: refused,
    UNSUPPORTED_MEDIA_TYPE: response(415, 'invalid_request', 'This path does not accept this content type'),
    WAF_FILTERED: response(403, 'permission_denied', 'The request was refused by a firewall'),
    REQUEST_TOO_LARGE: response(413, 'payload_too_large', 'The request is too large'),
    THROTTLED: response(429, 'rate_limit_exceeded', 'Too many requests', { 'retry-after': '1' }),
    QUOTA_EXCEEDED: response(429, 'rate_limit_exceeded', 'Too many requests'),
  };
}

/**
 * Keeps API Gateway's own status. If we set the status, API Gateway would count the response as the caller's error
 * (4XXError), and crashing functions would raise no alarm.
 */
function failure(status: number) {
  const { statusCode: _, ...body } = response(status, 'server', 'An internal error occurred');
  return body;
}

function response(
  statusCode: number,
  errorType: ErrorType,
  message: string,
  own: Readonly<Record<string, string>> = {},
) {
  const body = errorBody({ status: statusCode, errorType, message });
  const fixed = Object.entries({ ...COMMON_HEADERS, ...own }).map(([name, value]) => [name, `'${value}'`]);
  const headers = [['x-request-id', 'context.requestId'], ...fixed];
  return {
    statusCode,
    responseParameters: Object.fromEntries(
      headers.map(([name, value]) => [`gatewayresponse.header.${name}`, value]),
    ),
    responseTemplates: { 'application/json': JSON.stringify(body) },
  };
}
