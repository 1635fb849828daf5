import { join } from 'node:path';
import { Duration, Stack } from 'aws-cdk-lib';
import {
  Alias,
  Architecture,
  Code,
  type IFunction,
  type IVersion,
  Function as LambdaFunction,
  RecursiveLoop,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { EMULATOR_PATIENCE } from '../emulator-patience.ts';
import { BUNDLES } from '../function-bundles.ts';
import { metricsNamespace } from '../measures.ts';
import type { StageConfig } from '../stage-config.ts';
import { asInterface } from './as-interface.ts';
import { type Capability, combine } from './capability.ts';
import { logGroupOf, logsOf } from './log-group.ts';
import { functionRole } from './role.ts';

export interface GenwayFunctionProps {
  readonly config: StageConfig;
  /** Names the bundle: the file below `functions/` that exports the handler. */
  readonly name: string;
  /** All that it is told and allowed, but for its own log. */
  readonly can: readonly Capability[];
  /** @default 512; CPU comes with memory, and these functions wait more than they compute */
  readonly memoryMegabytes?: number;
  /** @default 25 seconds: below API Gateway's 29, and more than a caller may wait for a job to move */
  readonly timeout?: Duration;
  /** How many of the account's are kept for it, and the most it may have. @default none are, and as many as are left */
  readonly reservedConcurrency?: number | undefined;
  /** Whether its new code takes over little by little, on a stage that does so. */
  readonly isGradual?: boolean;
  /** For consumers that write to the queue that feeds them, which Lambda otherwise stops after about 16 rounds. */
  readonly writesToItsOwnQueue?: boolean;
}

/** A Lambda as all of ours are: with a role of its own that can write its own log and what it was given. */
export class GenwayFunction extends LambdaFunction {
  /** As people call it: the name of its bundle. */
  readonly title: string;
  /** The code that answers calls, where new code takes over little by little. */
  readonly live: Alias | undefined;

  constructor(scope: Construct, id: string, props: GenwayFunctionProps) {
    const logGroup = logGroupOf(scope, props.name, props.config);
    const role = functionRole(scope, `${id}Role`, logGroup);
    const { environment, grant } = combine(...props.can);
    super(scope, id, {
      code: Code.fromAsset(join(BUNDLES, props.name)),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMegabytes ?? 512,
      timeout: props.timeout ?? Duration.seconds(25),
      ...(props.reservedConcurrency === undefined
        ? {}
        : { reservedConcurrentExecutions: props.reservedConcurrency }),
      ...(props.writesToItsOwnQueue ? { recursiveLoop: RecursiveLoop.ALLOW } : {}),
      ...(props.config.tracing ? { tracing: Tracing.ACTIVE } : {}),
      logGroup,
      role,
      environment: {
        POWERTOOLS_SERVICE_NAME: props.name,
        POWERTOOLS_LOG_LEVEL: props.config.logLevel,
        POWERTOOLS_METRICS_NAMESPACE: metricsNamespace(props.config.name),
        ...(props.config.platform === 'emulator' ? EMULATOR_PATIENCE : {}),
        ...environment,
      },
    });
    this.title = props.name;
    this.node.addDependency(logsOf(Stack.of(this)));
    grant(this);
    const isGradual = props.isGradual === true && props.config.deployments === 'canary';
    this.live = isGradual
      ? new Alias(this, 'Live', { aliasName: 'live', version: asInterface<IVersion>(this.currentVersion) })
      : undefined;
  }

  /** What is to be called. */
  get callable(): IFunction {
    return asInterface<IFunction>(this.live ?? this);
  }
}
