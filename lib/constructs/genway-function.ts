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
import { variables } from '../../functions/environment-names.ts';
import { metricsNamespace } from '../../functions/telemetry/own-metrics.ts';
import { BUNDLES } from '../bundling/bundle.ts';
import type { StageConfig } from '../stage/config.ts';
import { asInterface } from './as-interface.ts';
import { EMULATOR_PATIENCE, USUAL_MEMORY } from './function-defaults.ts';
import { type Capability, combine, functionRole, logGroupOf, logsOf } from './program.ts';

export interface GenwayFunctionProps {
  readonly config: StageConfig;
  /** The name of the bundle, which is that of the file in `functions/` that exports the handler. */
  readonly name: string;
  /** All its variables and rights, except the right to write its own log. */
  readonly can: readonly Capability[];
  /** @default USUAL_MEMORY */
  readonly memoryMegabytes?: number;
  /** @default 25 seconds: below API Gateway's 29, and above the longest wait for a job's change */
  readonly timeout?: Duration;
  /** The concurrency that is reserved for it, which is also its maximum. @default none is reserved, and no maximum */
  readonly reservedConcurrency?: number | undefined;
  /** Whether its new code is deployed gradually, on a stage with gradual deployments. */
  readonly isGradual?: boolean;
  /** For a consumer that writes to its own queue, which Lambda otherwise stops after about 16 rounds. */
  readonly writesToItsOwnQueue?: boolean;
}

/** The base of all our Lambdas. Each has its own role, with the right to write its own log and with its capabilities. */
export class GenwayFunction extends LambdaFunction {
  /** The name that people use: that of its bundle. */
  readonly title: string;
  /** The alias that receives calls, if the function is deployed gradually. */
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
      memorySize: props.memoryMegabytes ?? USUAL_MEMORY,
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
        [variables.metricsNamespace]: metricsNamespace(props.config.name),
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

  /** What callers of the function must call. */
  get callable(): IFunction {
    return asInterface<IFunction>(this.live ?? this);
  }
}
