import type { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { synthesize, synthesizeWatch } from './template.ts';

const HOURS = 730;

/** Prices of us-east-1 in USD, as listed in November 2026, for one month of an idle resource. */
const TASK_HOUR = 0.25 * 0.03238 + 0.5 * 0.00356;
const MONTHLY = {
  'AWS::ElasticLoadBalancingV2::LoadBalancer': ['load balancer', 0.0225 * HOURS],
  'AWS::KMS::Key': ['KMS key', 1],
  'AWS::SecretsManager::Secret': ['secret', 0.4],
  'AWS::WAFv2::WebACL': ['firewall with one rule (in us-east-1)', 6],
  'AWS::CloudWatch::Alarm': ['alarm', 0.1],
  'AWS::CloudWatch::CompositeAlarm': ['alarm made of alarms', 0.5],
  'AWS::CloudWatch::Dashboard': ['dashboard, where the account has three others', 3],
} as const;

/**
 * Resources that cost nothing while they are idle, by service. Of the endpoints in a VPC only those of gateways are
 * free, but no template has another one: `idleCosts` would not know its price.
 */
const BY_USE: Readonly<Record<string, string>> = {
  ApiGateway: 'Account Deployment RestApi Stage',
  ApplicationAutoScaling: 'ScalableTarget ScalingPolicy',
  CloudFormation: 'Stack',
  CloudFront: 'Distribution Function KeyGroup OriginAccessControl PublicKey ResponseHeadersPolicy VpcOrigin',
  CodeDeploy: 'Application DeploymentGroup',
  DynamoDB: 'GlobalTable',
  EC2:
    'InternetGateway Route RouteTable SecurityGroup SecurityGroupEgress ' +
    'SecurityGroupIngress Subnet SubnetRouteTableAssociation VPC VPCGatewayAttachment VPCEndpoint',
  ECS: 'Cluster TaskDefinition',
  ElasticLoadBalancingV2: 'Listener TargetGroup',
  IAM: 'Role',
  Lambda: 'Alias EventInvokeConfig EventSourceMapping Function Permission Url Version',
  Logs: 'LogGroup QueryDefinition',
  S3: 'Bucket BucketPolicy',
  SNS: 'Subscription Topic TopicPolicy',
  SQS: 'Queue QueuePolicy',
  Scheduler: 'Schedule',
};

function isFree(type: string): boolean {
  const [owner, service = '', name = ''] = type.split('::');
  return owner === 'Custom' || (BY_USE[service]?.split(' ').includes(name) ?? false);
}

const templateSchema = v.object({
  Resources: v.record(v.string(), v.looseObject({ Type: v.string(), Properties: v.optional(v.unknown()) })),
});
const scalingSchema = v.object({ MinCapacity: v.number() });

export interface Cost {
  readonly what: string;
  readonly count: number;
  readonly dollars: number;
}

/** A stage's monthly cost without any call. @throws Error if a resource's price is unknown */
export function idleCosts(templates: readonly Template[]): Cost[] {
  const resources = templates.flatMap((template) =>
    Object.values(v.parse(templateSchema, template.toJSON()).Resources),
  );
  const unknown = resources.filter(
    ({ Type }) => !(Type in MONTHLY) && Type !== 'AWS::ECS::Service' && !isFree(Type),
  );
  if (unknown.length > 0) throw new Error(`No price for ${unknown.map(({ Type }) => Type).join(', ')}`);
  const tasks = resources
    .filter(({ Type }) => Type === 'AWS::ApplicationAutoScaling::ScalableTarget')
    .reduce((sum, { Properties }) => sum + v.parse(scalingSchema, Properties).MinCapacity, 0);
  const parts = Object.entries(MONTHLY).map(([type, [what, each]]) => {
    const count = resources.filter(({ Type }) => Type === type).length;
    return { what, count, dollars: count * each };
  });
  return [
    { what: 'task of ¼ CPU and 512 MB', count: tasks, dollars: tasks * TASK_HOUR * HOURS },
    { what: 'address of a task', count: tasks, dollars: tasks * 0.005 * HOURS },
    ...parts,
  ];
}

export const totalOf = (costs: readonly Cost[]): number =>
  costs.reduce((sum, { dollars }) => sum + dollars, 0);

/** The table of docs/deploy.md, with a row for each part and a column for each stage. */
export function costTable(stages: Readonly<Record<string, readonly Template[]>>): string {
  const columns = Object.entries(stages).map(([title, templates]) => ({
    title,
    costs: idleCosts(templates),
  }));
  const names = columns[0]?.costs.map(({ what }) => what) ?? [];
  const cell = ({ count, dollars }: Cost): string => (count === 0 ? '—' : `${count}: ${dollars.toFixed(2)}`);
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    row(['idle, USD a month', ...columns.map(({ title }) => title)]),
    row(['---', ...columns.map(() => '---')]).replaceAll(' ', ''),
    ...names.map((what, i) =>
      row([what, ...columns.map(({ costs }) => cell(costs[i] ?? { what, count: 0, dollars: 0 }))]),
    ),
    row(['**in all**', ...columns.map(({ costs }) => `**${totalOf(costs).toFixed(2)}**`)]),
  ].join('\n');
}

/** The stages whose costs are documented, by the names that the pages use. */
export const costedStages = async (): Promise<Record<string, Template[]>> => ({
  '`prod`': await both('prod'),
  '`dev`': await both('dev'),
  "`prod` with `largeUploads: 'off'`": await both('prod', { largeUploads: 'off' }),
});

const both = async (...stage: Parameters<typeof synthesizeWatch>): Promise<Template[]> => [
  await synthesize(...stage),
  await synthesizeWatch(...stage),
];
