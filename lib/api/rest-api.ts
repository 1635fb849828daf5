import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  ApiDefinition,
  EndpointType,
  LogGroupLogDestination,
  SpecRestApi,
  type StageOptions,
} from 'aws-cdk-lib/aws-apigateway';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { RouteId } from '../../functions/endpoints/definitions.ts';
import { acceptFinding } from '../constructs/accept-finding.ts';
import { type Capability, GenwayFunction, Role } from '../constructs/program.ts';
import type { StageConfig } from '../stage/config.ts';
import { apiDefinition, forEachRoute, type PerRoute } from './definition.ts';

/** Never the query string, and no header except the client's name: a caller may put a key into either by mistake. */
const FIELDS = {
  request_id: '$context.requestId',
  time: '$context.requestTimeEpoch',
  ip: '$context.identity.sourceIp',
  user_agent: '$context.identity.userAgent',
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
function accessLog(scope: Construct, { logRetentionDays }: StageConfig): StageOptions {
  const group = new LogGroup(scope, 'AccessLog', {
    // Beside those of the programs, so that questions to the stage's logs are asked of it too.
    logGroupName: `/${Stack.of(scope).stackName}/access-log`,
    retention: logRetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  return {
    accessLogDestination: new LogGroupLogDestination(group),
    accessLogFormat: AccessLogFormat.custom(JSON.stringify(FIELDS)),
  };
}

interface RestApiProps {
  readonly config: StageConfig;
  /** What the function of each endpoint may do. */
  readonly rights: PerRoute<Capability>;
  /** What the function that answers all other requests may do. */
  readonly fallbackRights: Capability;
}

/**
 * The endpoints that get most of the calls, and that callers need most. Gradual deployments for all endpoints would use a
 * third of the stack's resources.
 */
const GRADUAL: readonly RouteId[] = ['submit-video', 'get-video', 'upload-file', 'get-file-content'];

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
    const handlers = forEachRoute((routeId) => {
      const can = [rights[routeId]];
      const isGradual = GRADUAL.includes(routeId);
      return new GenwayFunction(this, routeId, { config, name: routeId, can, isGradual });
    });
    this.name = `Genway-${config.name}`;
    this.api = new SpecRestApi(this, 'Api', {
      restApiName: this.name,
      endpointTypes: [EndpointType.REGIONAL],
      // Every function gets the body as the caller's bytes, and decides about it itself.
      binaryMediaTypes: ['*/*'],
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
          invoker: this.#invokerOf([fallback, ...Object.values(handlers)]),
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

  /** One role that may call all functions, instead of a permission for each. */
  #invokerOf(handlers: readonly GenwayFunction[]): Role {
    const role = new Role(this, 'Invoker', { assumedBy: new ServicePrincipal('apigateway.amazonaws.com') });
    role.addToPolicy(
      new PolicyStatement({
        actions: ['lambda:InvokeFunction'],
        resources: handlers.map((handler) => handler.callable.functionArn),
      }),
    );
    return role;
  }
}
