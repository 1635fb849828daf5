import * as v from 'valibot';
import { priceIn, type Region } from './prices.ts';

const HOURS = 730;

/** For one month of an idle resource. */
const MONTHLY = {
  'AWS::ElasticLoadBalancingV2::LoadBalancer': ['load balancer', (of) => of('loadBalancer') * HOURS],
  'AWS::KMS::Key': ['KMS key', (of) => of('key')],
  'AWS::SecretsManager::Secret': ['secret', (of) => of('secret')],
  'AWS::WAFv2::WebACL': ['firewall with one rule', (of) => of('firewall') + of('firewallRule')],
  'AWS::CloudWatch::Alarm': ['metric of an alarm', (of) => of('alarm')],
  'AWS::CloudWatch::CompositeAlarm': ['composite alarm', (of) => of('compositeAlarm')],
  'AWS::CloudWatch::Dashboard': ['dashboard', (of) => of('dashboard')],
} as const satisfies Record<string, readonly [string, (of: Prices) => number]>;

type Prices = (name: Parameters<typeof priceIn>[1]) => number;

/**
 * Resources that cost nothing while they are idle, by service. Of the endpoints in a VPC only those of gateways are
 * free, but no template has another one: `idleCosts` would not know its price.
 */
const BY_USE: Readonly<Record<string, string>> = {
  ApiGateway: 'Account Deployment RestApi Stage',
  ApplicationAutoScaling: 'ScalableTarget ScalingPolicy',
  CertificateManager: 'Certificate',
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
  Lambda: 'Alias EventInvokeConfig EventSourceMapping Function LayerVersion Permission Url Version',
  Logs: 'Delivery DeliveryDestination DeliverySource LogGroup QueryDefinition ResourcePolicy',
  Route53: 'RecordSet',
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
const firewallSchema = v.object({ Rules: v.pipe(v.array(v.unknown()), v.length(1)) });
const mathSchema = v.object({ Metrics: v.array(v.object({ MetricStat: v.optional(v.unknown()) })) });
const rotatedSchema = v.object({ EnableKeyRotation: v.literal(true) });

export interface Cost {
  readonly what: string;
  readonly count: number;
  readonly dollars: number;
}

/** What a stage costs in a month without any call. */
export interface IdleCosts {
  readonly parts: readonly Cost[];
  readonly total: number;
  /** What the first two rotations of its keys add. */
  readonly rotations: number;
  /** What is free where the account has no other alarms and dashboards. */
  readonly free: number;
}

/** @throws Error if a resource's price is unknown */
export function idleCosts(templates: readonly unknown[], region: Region): IdleCosts {
  const of: Prices = (name) => priceIn(region, name);
  const resources = templates.flatMap((template) =>
    Object.values(v.parse(templateSchema, template).Resources),
  );
  const unknown = resources.filter(
    ({ Type }) => !(Type in MONTHLY) && Type !== 'AWS::ECS::Service' && !isFree(Type),
  );
  if (unknown.length > 0)
    throw new Error(`Genway has no price for ${unknown.map(({ Type }) => Type).join(', ')}`);
  const propertiesOf = (type: string) =>
    resources.filter(({ Type }) => Type === type).map(({ Properties }) => Properties);
  const tasks = propertiesOf('AWS::ApplicationAutoScaling::ScalableTarget')
    .map((target) => v.parse(scalingSchema, target).MinCapacity)
    .reduce((sum, count) => sum + count, 0);
  for (const firewall of propertiesOf('AWS::WAFv2::WebACL')) v.parse(firewallSchema, firewall);
  const taskHour = 0.25 * of('cpu') + 0.5 * of('memory');
  const watched = propertiesOf('AWS::CloudWatch::Alarm').flatMap(metricsOfAlarm).length;
  const parts = [
    { what: 'task of ¼ vCPU and 512 MB', count: tasks, dollars: tasks * taskHour * HOURS },
    { what: 'public IPv4 address of a task', count: tasks, dollars: tasks * of('address') * HOURS },
    ...Object.entries(MONTHLY).map(([type, [what, each]]) => {
      const count = type === 'AWS::CloudWatch::Alarm' ? watched : propertiesOf(type).length;
      return { what, count, dollars: count * each(of) };
    }),
  ];
  const rotated = propertiesOf('AWS::KMS::Key').filter((key) => v.is(rotatedSchema, key)).length;
  const dashboards = propertiesOf('AWS::CloudWatch::Dashboard').filter((one) => metricsOf(one) <= 50).length;
  return {
    parts,
    total: parts.reduce((sum, { dollars }) => sum + dollars, 0),
    rotations: 2 * rotated * of('key'),
    free: Math.min(10, watched) * of('alarm') + Math.min(3, dashboards) * of('dashboard'),
  };
}

const dashboardSchema = v.object({
  DashboardBody: v.object({ 'Fn::Join': v.tuple([v.literal(''), v.array(v.unknown())]) }),
});
const widgetsSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    widgets: v.array(v.object({ properties: v.object({ metrics: v.optional(v.array(v.unknown()), []) }) })),
  }),
);

/** AWS charges for each metric that an alarm watches. */
const metricsOfAlarm = (alarm: unknown): unknown[] =>
  v.is(mathSchema, alarm) ? alarm.Metrics.filter(({ MetricStat }) => MetricStat !== undefined) : [alarm];

function metricsOf(dashboard: unknown): number {
  const [, parts] = v.parse(dashboardSchema, dashboard).DashboardBody['Fn::Join'];
  const body = parts.map((part) => (typeof part === 'string' ? part : 'known-when-deployed')).join('');
  return v.parse(widgetsSchema, body).widgets.flatMap(({ properties }) => properties.metrics).length;
}
