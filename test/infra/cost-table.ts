import type { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';

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

/** Resources that cost nothing while they are idle. */
const BY_USE: readonly string[] = [
  'AWS::ApiGateway::Account',
  'AWS::ApiGateway::Deployment',
  'AWS::ApiGateway::RestApi',
  'AWS::ApiGateway::Stage',
  'AWS::ApplicationAutoScaling::ScalableTarget',
  'AWS::ApplicationAutoScaling::ScalingPolicy',
  'AWS::CloudFormation::Stack',
  'AWS::CloudFront::Distribution',
  'AWS::CloudFront::Function',
  'AWS::CloudFront::KeyGroup',
  'AWS::CloudFront::OriginAccessControl',
  'AWS::CloudFront::PublicKey',
  'AWS::CloudFront::ResponseHeadersPolicy',
  'AWS::CloudFront::VpcOrigin',
  'AWS::CodeDeploy::Application',
  'AWS::CodeDeploy::DeploymentGroup',
  'AWS::DynamoDB::GlobalTable',
  'AWS::EC2::InternetGateway',
  'AWS::EC2::Route',
  'AWS::EC2::RouteTable',
  'AWS::EC2::SecurityGroup',
  'AWS::EC2::SecurityGroupEgress',
  'AWS::EC2::SecurityGroupIngress',
  'AWS::EC2::Subnet',
  'AWS::EC2::SubnetRouteTableAssociation',
  'AWS::EC2::VPC',
  'AWS::EC2::VPCGatewayAttachment',
  'AWS::ECS::Cluster',
  'AWS::ECS::TaskDefinition',
  'AWS::ElasticLoadBalancingV2::Listener',
  'AWS::ElasticLoadBalancingV2::TargetGroup',
  'AWS::IAM::Role',
  'AWS::Lambda::Alias',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Function',
  'AWS::Lambda::Permission',
  'AWS::Lambda::Url',
  'AWS::Lambda::Version',
  'AWS::Logs::LogGroup',
  'AWS::Logs::QueryDefinition',
  'AWS::S3::Bucket',
  'AWS::S3::BucketPolicy',
  'AWS::SNS::Subscription',
  'AWS::SNS::Topic',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::Queue',
  'AWS::SQS::QueuePolicy',
  'AWS::Scheduler::Schedule',
  // Gateway endpoints are free. Interface endpoints are not, but no template has one: `idleCosts` would not know its
  // price.
  'AWS::EC2::VPCEndpoint',
];

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
    ({ Type }) =>
      !(Type in MONTHLY) &&
      !BY_USE.includes(Type) &&
      Type !== 'AWS::ECS::Service' &&
      !Type.startsWith('Custom::'),
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
