import { Duration, type NestedStack } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IAlarm,
  type Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { type RouteId, routes } from '../../functions/endpoints/definitions.ts';
import type { Route } from '../../functions/http/routes.ts';
import { acceptFinding } from '../constructs/accept-finding.ts';
import { GenwayFunction } from '../constructs/program.ts';
import type { StageConfig } from '../stage/config.ts';
import { metricOf } from './cloudwatch.ts';
import { failedShare, type Measure, own, ownBy } from './measures.ts';

/**
 * These call the opener of provider keys, so they are deployed after its alias, which waits for `watch`. Alarms for them
 * in `watch` would therefore make a circle.
 */
const CALLERS: readonly string[] = ['upload-file', 'get-file-content'] satisfies RouteId[];

interface GradualDeploymentsProps {
  readonly config: StageConfig;
  /** Contains all functions; a function without an alias is replaced at once. */
  readonly stage: Construct;
  readonly api: string;
  /** Contains the alarms of the deployments, so that nothing else waits for them. */
  readonly watch: NestedStack;
}

/**
 * New code gets a tenth of the calls for five minutes, and then all of them. If an alarm fires in that time, the previous
 * code gets all calls again and the deployment fails.
 */
export class GradualDeployments extends Construct {
  constructor(scope: Construct, id: string, { config, stage, api, watch }: GradualDeploymentsProps) {
    super(scope, id);
    const guards = new Construct(watch, id);
    const application = new LambdaApplication(this, 'Application');
    const role = new Role(guards, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      managedPolicies: [
        ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSCodeDeployRoleForLambdaLimited'),
      ],
    });
    const policy = 'arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited';
    acceptFinding(role, `IAM4[Policy::${policy}]`, 'What CodeDeploy may do for Lambda, as AWS defines it');
    // A failing handler answers with a 500, and a failing worker returns its message. Lambda counts neither as an error.
    // Of a busy endpoint its own failures count as well: in the share of all requests they could disappear.
    const failing = [
      over(guards, 'Requests', metricOf(failedShare(api)), FAILED_SHARE),
      over(guards, 'Messages', metricOf(own(config.name, 'MessagesFailed')), 20),
    ];
    for (const { title, live } of functionsOf(stage)) {
      if (live === undefined) continue;
      const scope = CALLERS.includes(title) ? this : guards;
      new LambdaDeploymentGroup(this, title, {
        application,
        role,
        alias: live,
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
        alarms: [
          over(scope, `${title}Errors`, live.metricErrors(EVERY_MINUTE), 2),
          ...ownFailures(config.name, title).map((measure) =>
            over(guards, `${title}Failures`, metricOf(measure), FAILED_SHARE),
          ),
          ...failing,
        ],
      });
    }
  }
}

const over = (scope: Construct, id: string, metric: Metric, threshold: number): IAlarm =>
  new Alarm(scope, id, {
    metric,
    threshold,
    evaluationPeriods: 1,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    treatMissingData: TreatMissingData.NOT_BREACHING,
    alarmDescription: 'Rolls back a deployment that is in progress, and notifies nobody',
  });

/** Half of what new code causes that fails at each of its calls, because it gets a tenth of them. */
const FAILED_SHARE = 0.05;

/** The share of an endpoint's requests that fail by our own fault. Workers have none. */
function ownFailures(stage: string, title: string): Measure[] {
  const { [title]: route }: Readonly<Record<string, Route | undefined>> = routes;
  if (route === undefined) return [];
  return ownBy(stage, 'EndpointFailures', {
    values: [`${route.method} ${route.path}`],
    statistic: 'Average',
  });
}

const EVERY_MINUTE = { statistic: Stats.SUM, period: Duration.minutes(1) };

const functionsOf = (stage: Construct): GenwayFunction[] =>
  stage.node.findAll().filter((part): part is GenwayFunction => part instanceof GenwayFunction);
