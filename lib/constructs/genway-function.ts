import { join } from 'node:path';
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  RecursiveLoop,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { BUNDLES } from '../function-bundles.ts';
import { metricsNamespace } from '../measures.ts';
import type { StageConfig } from '../stage-config.ts';
import { type Capability, combine } from './capability.ts';

export interface GenwayFunctionProps {
  readonly config: StageConfig;
  /** Names the bundle: the file below `functions/` that exports the handler. */
  readonly name: string;
  /** All that it is told and allowed, but for its own log. */
  readonly can: readonly Capability[];
  /** @default 512; CPU comes with memory, and these functions wait more than they compute */
  readonly memoryMegabytes?: number;
  /** @default 20 seconds: below API Gateway's 29 */
  readonly timeout?: Duration;
  /** How many of the account's are kept for it, and the most it may have. @default none are, and as many as are left */
  readonly reservedConcurrency?: number | undefined;
  /** For consumers that write to the queue that feeds them, which Lambda otherwise stops after about 16 rounds. */
  readonly writesToItsOwnQueue?: boolean;
}

/** A Lambda as all of ours are: with a role of its own that can write its own log and what it was given. */
export class GenwayFunction extends LambdaFunction {
  /** As people call it: the name of its bundle. */
  readonly title: string;

  constructor(scope: Construct, id: string, props: GenwayFunctionProps) {
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: props.config.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    role.addToPolicy(
      new PolicyStatement({
        actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        resources: [logGroup.logGroupArn],
      }),
    );
    const { environment, grant } = combine(...props.can);
    super(scope, id, {
      code: Code.fromAsset(join(BUNDLES, props.name)),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMegabytes ?? 512,
      timeout: props.timeout ?? Duration.seconds(20),
      ...(props.reservedConcurrency === undefined
        ? {}
        : { reservedConcurrentExecutions: props.reservedConcurrency }),
      ...(props.writesToItsOwnQueue ? { recursiveLoop: RecursiveLoop.ALLOW } : {}),
      logGroup,
      role,
      environment: {
        POWERTOOLS_SERVICE_NAME: props.name,
        POWERTOOLS_LOG_LEVEL: props.config.logLevel,
        POWERTOOLS_METRICS_NAMESPACE: metricsNamespace(props.config.name),
        ...environment,
      },
    });
    this.title = props.name;
    grant(this);
  }
}
