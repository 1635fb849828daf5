import type { Duration } from 'aws-cdk-lib';
import {
  RestApi as AwsRestApi,
  EndpointType,
  type IResource,
  LambdaIntegration,
  ResponseType,
} from 'aws-cdk-lib/aws-apigateway';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { variables } from '../functions/environment-names.ts';
import type { ErrorType } from '../functions/http/errors.ts';
import { errorBody } from '../functions/http/response.ts';
import { type Route, type RouteId, routes } from '../functions/http/routes.ts';
import { GenwayFunction } from './genway-function.ts';
import type { KeysTable } from './keys-table.ts';
import type { StageConfig } from './stage-config.ts';

export interface RestApiProps {
  readonly config: StageConfig;
  /** Where every request's credential is looked up. */
  readonly keys: KeysTable;
  /** Where the calls of each key are counted. */
  readonly buckets: TableV2;
}

export interface RouteProps {
  readonly environment?: Readonly<Record<string, string>>;
  readonly memoryMegabytes?: number;
  readonly timeout?: Duration;
}

/**
 * The HTTP API at `/api/v1`: `api` is the stage, `v1` the first resource. A REST API, because only its
 * gateway responses can carry our error body.
 */
export class RestApi extends Construct {
  readonly api: AwsRestApi;
  readonly #config: StageConfig;
  readonly #keys: KeysTable;
  readonly #buckets: TableV2;
  readonly #version: IResource;
  readonly #fallback: LambdaIntegration;

  constructor(scope: Construct, id: string, { config, keys, buckets }: RestApiProps) {
    super(scope, id);
    this.#config = config;
    this.#keys = keys;
    this.#buckets = buckets;
    this.api = new AwsRestApi(this, 'Api', {
      description: `Genway (${config.name})`,
      endpointTypes: [EndpointType.REGIONAL],
      deployOptions: { stageName: 'api' },
      // Every body reaches its function as the caller's bytes, which it then judges itself.
      binaryMediaTypes: ['*/*'],
      cloudWatchRole: false,
    });
    const answerUnrouted = new GenwayFunction(this, 'AnswerUnrouted', {
      config,
      name: 'answer-unrouted',
      environment: this.#entrance(),
    });
    // One permission for all methods: with one each the stack would near CloudFormation's 500 resources.
    this.#fallback = new LambdaIntegration(answerUnrouted, { scopePermissionToMethod: false });
    this.#version = this.api.root.addResource('v1');
    this.api.root.addProxy({ defaultIntegration: this.#fallback, anyMethod: true });
    this.#version.addProxy({ defaultIntegration: this.#fallback, anyMethod: true });
    this.#answerOwnErrors();
  }

  /**
   * The function of one route, which the caller grants what its operation needs. Other methods of the
   * route's path fall to the 405 answer.
   */
  serve(routeId: RouteId, { environment, ...limits }: RouteProps = {}): GenwayFunction {
    const { method, path } = routes[routeId];
    const handler = new GenwayFunction(this, routeId, {
      config: this.#config,
      name: routeId,
      environment: { ...this.gateEnvironment(routeId), ...environment },
      ...limits,
    });
    this.grantGate(routeId, handler);
    const resource = this.#version.resourceForPath(path.slice(1));
    resource.addMethod(method, new LambdaIntegration(handler, { allowTestInvoke: false }));
    if (resource.node.tryFindChild('ANY') === undefined) resource.addMethod('ANY', this.#fallback);
    return handler;
  }

  /** What a program needs to know to authenticate and limit the calls of a route, be it a function or a server. */
  gateEnvironment(routeId: RouteId): Record<string, string> {
    const { access, limit }: Route = routes[routeId];
    return {
      ...this.#entrance(),
      ...(access === 'public' ? {} : { KEYS_TABLE: this.#keys.tableName }),
      ...(limit === undefined
        ? {}
        : {
            BUCKETS_TABLE: this.#buckets.tableName,
            REQUESTS_PER_MINUTE: String(this.#config.requestsPerMinute[limit]),
          }),
    };
  }

  /** What every program needs to know of the way in. */
  #entrance(): Record<string, string> {
    const { edgeSecretSha256 } = this.#config;
    return edgeSecretSha256.length === 0 ? {} : { [variables.edgeSecretSha256]: edgeSecretSha256.join() };
  }

  /** What that takes of the tables. */
  grantGate(routeId: RouteId, grantee: IGrantable): void {
    const { access, limit }: Route = routes[routeId];
    if (access !== 'public') this.#keys.grantAuthentication(grantee);
    if (limit !== undefined) this.#buckets.grant(grantee, 'dynamodb:UpdateItem');
  }

  /** What API Gateway answers by itself, before any function runs, in our error body. */
  #answerOwnErrors(): void {
    this.#answer('Default4xx', ResponseType.DEFAULT_4XX, 400, 'invalid_request', 'The request is malformed');
    this.#answer('Default5xx', ResponseType.DEFAULT_5XX, 500, 'server', 'Something went wrong on our side');
    this.#answer(
      'NoRoute',
      ResponseType.MISSING_AUTHENTICATION_TOKEN,
      404,
      'not_found',
      'No such path; the API lives under /api/v1',
    );
    this.#answer(
      'TooLarge',
      ResponseType.REQUEST_TOO_LARGE,
      413,
      'payload_too_large',
      'The request is too large for this address',
    );
    this.#answer('Throttled', ResponseType.THROTTLED, 429, 'rate_limit_exceeded', 'Too many requests');
    this.#answer('Quota', ResponseType.QUOTA_EXCEEDED, 429, 'rate_limit_exceeded', 'Too many requests');
  }

  #answer(id: string, type: ResponseType, status: number, errorType: ErrorType, message: string): void {
    const body = errorBody({ status, errorType, message });
    this.api.addGatewayResponse(id, {
      type,
      statusCode: String(status),
      templates: { 'application/json': JSON.stringify(body) },
      responseHeaders: {
        'x-request-id': 'context.requestId',
        'x-content-type-options': "'nosniff'",
        'cache-control': "'no-store'",
      },
    });
  }
}
