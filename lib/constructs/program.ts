import { join } from 'node:path';
import { Duration, NestedStack, Stack } from 'aws-cdk-lib';
import {
  type AddToPrincipalPolicyResult,
  Role as AwsRole,
  type IGrantable,
  type IRole,
  PolicyDocument,
  PolicyStatement,
  type RoleProps,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
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
import { type ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { variables } from '../../functions/environment-names.ts';
import { metricsNamespace } from '../../functions/telemetry/own-metrics.ts';
import { BUNDLES } from '../bundling/folders.ts';
import type { StageConfig } from '../stage/config.ts';
import { acceptFinding, acceptWildcard } from './accept-finding.ts';
import { asInterface } from './as-interface.ts';
import { EMULATOR_PATIENCE, USUAL_MEMORY } from './function-defaults.ts';
import { logLifeOf } from './own-keys.ts';

/** The name of an environment variable that programs read. */
export type Variable = (typeof variables)[keyof typeof variables];
export type Environment = Readonly<Partial<Record<Variable, string>>>;

/**
 * Something that a program can do: the environment variables and the rights that this needs. They are in one object, so
 * that nobody can give one without the other.
 */
export interface Capability {
  readonly environment: Environment;
  grant(grantee: IGrantable): void;
}

/** To know something, which needs no rights. */
export const knowing = (environment: Environment): Capability => ({ environment, grant: () => undefined });

/** @throws Error if two of them set one variable to different values */
export function combine(...capabilities: readonly Capability[]): Capability {
  const environment: Partial<Record<string, string>> = {};
  for (const [name, value] of capabilities.flatMap((capability) => Object.entries(capability.environment))) {
    if (environment[name] !== undefined && environment[name] !== value) {
      throw new Error(`Two capabilities set ${name} to different values`);
    }
    environment[name] = value;
  }
  return {
    environment,
    grant: (grantee) => {
      for (const capability of capabilities) capability.grant(grantee);
    },
  };
}

/**
 * A role with inline rights. CDK's own role keeps them in a separate policy. That would be a second one of the stack's
 * 500 resources, and everything that uses the role would have to wait for it.
 */
export class Role extends AwsRole {
  readonly #rights: PolicyDocument;

  constructor(scope: Construct, id: string, props: RoleProps) {
    // CDK reads this when it writes the template, after all grants were added.
    const rights = new PolicyDocument();
    super(scope, id, { ...props, inlinePolicies: { [RIGHTS]: rights } });
    this.#rights = rights;
  }

  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    this.#rights.addStatements(statement);
    return { statementAdded: true, policyDependable: this };
  }
}

/**
 * Must not be a name that CDK gives to its policies. When a stack of an older version is updated, CloudFormation deletes
 * those policies by name, after the roles have got their rights.
 */
const RIGHTS = 'Rights';

/** The role of a function, which can write its own log. */
export function functionRole(scope: Construct, id: string, log: ILogGroup): Role {
  const role = new Role(scope, id, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  const actions = ['logs:CreateLogStream', 'logs:PutLogEvents'];
  role.addToPolicy(new PolicyStatement({ actions, resources: [log.logGroupArn] }));
  acceptStreams(role, log);
  return role;
}

/** The right to write a log must cover all its streams, because the writer chooses the name of a stream. */
export function acceptStreams(role: IRole, { logGroupArn }: ILogGroup): void {
  acceptWildcard(role, logGroupArn, 'The streams of its own log');
}

/**
 * The log group of one program, `/<stack>/<program>`. All log groups are in a separate template, to save the 500
 * resources of the stack for the rest. They have fixed names, so that the templates need no references.
 */
export function logGroupOf(scope: Construct, program: string, config: StageConfig): ILogGroup {
  const logs = logsOf(scope);
  const logGroupName = `/${Stack.of(scope).stackName}/${program}`;
  new LogGroup(logs, program, { logGroupName, ...logLifeOf(logs, program, config) });
  return LogGroup.fromLogGroupName(scope, `${program}-log`, logGroupName);
}

/** What a program must depend on to be able to write its log. It belongs to its deployment, whose tags it gets. */
export function logsOf(scope: Construct): LogGroups {
  return nearest(scope, LogGroups) ?? new LogGroups(Stack.of(scope));
}

/** The log groups of a deployment. */
export class LogGroups extends NestedStack {
  constructor(scope: Construct) {
    super(scope, 'Logs', { description: `Log groups of ${Stack.of(scope).stackName}` });
  }
}

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
  /** @default ARM, which costs less */
  readonly architecture?: Architecture;
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
      architecture: props.architecture ?? Architecture.ARM_64,
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
    this.node.addDependency(logsOf(this));
    if (props.config.tracing) acceptFinding(role, 'IAM5[Resource::*]', 'X-Ray knows no narrower resource');
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

type Kind<T> = abstract new (...args: never[]) => T;

/** The construct of this kind that is the nearest child of an ancestor of `scope`: what all parts of one deployment share. */
export const nearest = <T extends Construct>(scope: Construct, kind: Kind<T>): T | undefined =>
  scope.node.scopes
    .toReversed()
    .flatMap(({ node }) => node.children)
    .find((child): child is T => child instanceof kind);
