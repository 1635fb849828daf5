import { RemovalPolicy } from 'aws-cdk-lib';
import { ApiDefinition, EndpointType, SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { accessLog } from './access-log.ts';
import { apiDefinition } from './api-definition.ts';
import { GenwayFunction } from './constructs/genway-function.ts';
import { type Endpoints, forEachRoute } from './endpoints.ts';
import type { Gate } from './gate.ts';
import type { StageConfig } from './stage-config.ts';

export interface RestApiProps {
  readonly config: StageConfig;
  readonly gate: Gate;
  readonly endpoints: Endpoints;
}

/**
 * The HTTP API at `/api/v1`, a function an endpoint: `api` is the stage, `v1` the first part of its paths. A REST
 * API, because only its gateway responses can carry our error body.
 */
export class RestApi extends Construct {
  readonly api: SpecRestApi;
  /** As CloudWatch knows it. */
  readonly name: string;

  constructor(scope: Construct, id: string, { config, gate, endpoints }: RestApiProps) {
    super(scope, id);
    const fallback = new GenwayFunction(this, 'AnswerUnrouted', {
      config,
      name: 'answer-unrouted',
      can: [gate.entrance],
    });
    const handlers = forEachRoute((routeId, route) => {
      const can = [gate.before(route), ...endpoints[routeId]];
      return new GenwayFunction(this, routeId, { config, name: routeId, can });
    });
    const name = `Genway-${config.name}`;
    this.name = name;
    this.api = new SpecRestApi(this, 'Api', {
      restApiName: name,
      endpointTypes: [EndpointType.REGIONAL],
      // Every body reaches its function as the caller's bytes, which it then judges itself.
      binaryMediaTypes: ['*/*'],
      deployOptions: {
        stageName: 'api',
        throttlingRateLimit: config.throttle.requestsPerSecond,
        throttlingBurstLimit: config.throttle.burst,
        ...(config.accessLog ? accessLog(this, config) : {}),
      },
      // API Gateway writes access logs as one role of the account, which other stages share and must keep.
      cloudWatchRole: config.accessLog,
      ...(config.accessLog ? { cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN } : {}),
      apiDefinition: ApiDefinition.fromInline(
        apiDefinition({
          name,
          description: 'Genway, a gateway for generative models',
          handlers,
          fallback,
          invoker: this.#invokerOf([fallback, ...Object.values(handlers)]),
        }),
      ),
    });
  }

  /** One role for all functions, instead of a permission at each. */
  #invokerOf(handlers: readonly GenwayFunction[]): Role {
    const role = new Role(this, 'Invoker', { assumedBy: new ServicePrincipal('apigateway.amazonaws.com') });
    role.addToPolicy(
      new PolicyStatement({
        actions: ['lambda:InvokeFunction'],
        resources: handlers.map((handler) => handler.functionArn),
      }),
    );
    return role;
  }
}
