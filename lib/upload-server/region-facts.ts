import { Stack, Token } from 'aws-cdk-lib';
import { type IPeer, Peer } from 'aws-cdk-lib/aws-ec2';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { AwsCustomResource, type AwsSdkCall, PhysicalResourceId } from 'aws-cdk-lib/custom-resources';
import { Construct } from 'constructs';
import { acceptFinding } from '../constructs/accept-finding.ts';
import { functionRole, logGroupOf } from '../constructs/program.ts';
import type { StageConfig } from '../stage/config.ts';
import { REACHABLE_ZONES } from './reachable-zones.ts';

const ADDRESSES = 'com.amazonaws.global.cloudfront.origin-facing';

/** Facts about a region that only AWS knows, looked up while CloudFormation deploys. */
export class RegionFacts extends Construct {
  /** The addresses from which CloudFront calls origins. */
  readonly edgeAddresses: IPeer;
  /** Two zones that CloudFront supports. */
  readonly zones: string[];

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id);
    const logGroup = logGroupOf(this, 'look-up-region', config);
    // The role of CDK's own function that calls AWS during a deployment.
    const role = functionRole(this, 'Role', logGroup);
    // EC2 supports no narrower resource for these actions.
    role.addToPolicy(new PolicyStatement({ actions: LOOK_UPS, resources: ['*'] }));
    acceptFinding(role, 'IAM5[Resource::*]', 'EC2 knows no narrower resource for what is looked up here');
    const look = (name: string, call: AwsSdkCall) =>
      new AwsCustomResource(this, name, {
        onCreate: call,
        onUpdate: call,
        role,
        installLatestAwsSdk: false,
        logGroup,
      });
    const lists = look('EdgeAddresses', LIST_OF_ADDRESSES);
    this.edgeAddresses = Peer.prefixList(lists.getResponseField('PrefixLists.0.PrefixListId'));
    const zones = look('Zones', reachableZones(Stack.of(this).region));
    this.zones = [0, 1].map((index) => zones.getResponseField(`AvailabilityZones.${index}.ZoneName`));
  }
}

const LOOK_UPS = ['ec2:DescribeManagedPrefixLists', 'ec2:DescribeAvailabilityZones'];

const LIST_OF_ADDRESSES: AwsSdkCall = {
  service: 'EC2',
  action: 'describeManagedPrefixLists',
  parameters: { Filters: [{ Name: 'prefix-list-name', Values: [ADDRESSES] }] },
  outputPaths: ['PrefixLists.0.PrefixListId'],
  physicalResourceId: PhysicalResourceId.of(ADDRESSES),
};

/** If the region is unknown before the deployment, any two zones; the stage's setting `region` makes it known. */
function reachableZones(region: string): AwsSdkCall {
  const known = Token.isUnresolved(region) ? undefined : REACHABLE_ZONES[region];
  const some = known === undefined ? [] : [{ Name: 'zone-id', Values: known }];
  return {
    service: 'EC2',
    action: 'describeAvailabilityZones',
    parameters: { Filters: [{ Name: 'zone-type', Values: ['availability-zone'] }, ...some] },
    outputPaths: ['AvailabilityZones.0.ZoneName', 'AvailabilityZones.1.ZoneName'],
    physicalResourceId: PhysicalResourceId.of('zones'),
  };
}
