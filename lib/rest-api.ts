import {
  RestApi as AwsRestApi,
  EndpointType,
  type IResource,
  LambdaIntegration,
  ResponseType,
} from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { type Route, type RouteId, routes } from '../functions/http/routes.ts';
import { GenwayFunction } from './constructs/genway-function.ts';
import type { Endpoints } from './endpoints.ts';
import type { Gate } from './gate.ts';
import type { StageConfig } from './stage-config.ts';

export interface RestApiProps {
  readonly config: StageConfig;
  readonly gate: Gate;
  readonly endpoints: Endpoints;
}

/**
 * The HTTP API at `/api/v1`: `api` is the stage, `v1` the first resource. A REST API, because only its
 * gateway responses can carry our error body.
 */
export class RestApi extends Construct {
  readonly api: AwsRestApi;
  readonly #version: IResource;
  readonly #fallback: LambdaIntegration;

  constructor(scope: Construct, id: string, { config, gate, endpoints }: RestApiProps) {
    super(scope, id);
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
      can: [],
    });
    // One permission for all methods: with one each the stack would near CloudFormation's 500 resources.
    this.#fallback = new LambdaIntegration(answerUnrouted, { scopePermissionToMethod: false });
    this.#version = this.api.root.addResource('v1');
    this.api.root.addProxy({ defaultIntegration: this.#fallback, anyMethod: true });
    this.#version.addProxy({ defaultIntegration: this.#fallback, anyMethod: true });
    for (const [routeId, route] of Object.entries(routes)) {
      const can = [gate.before(route), ...endpoints[routeId as RouteId]];
      this.#serve(route, new GenwayFunction(this, routeId, { config, name: routeId, can }));
    }
    this.#answerOwnErrors();
  }

  #serve({ method, path }: Route, handler: GenwayFunction): void {
    const resource = this.#version.resourceForPath(path.slice(1));
    resource.addMethod(method, new LambdaIntegration(handler, { allowTestInvoke: false }));
    if (resource.node.tryFindChild('ANY') === undefined) resource.addMethod('ANY', this.#fallback);
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

  #answer(id: string, type: ResponseType, status: number, errorType: string, message: string): void {
    const body = { error: { code: status, message, metadata: { error_type: errorType } } };
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
