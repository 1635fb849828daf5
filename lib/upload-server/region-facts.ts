import { CustomResource, Duration, Stack, Token } from 'aws-cdk-lib';
import { type IPeer, Peer } from 'aws-cdk-lib/aws-ec2';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { acceptWildcard } from '../constructs/accept-finding.ts';
import { type Capability, GenwayFunction } from '../constructs/program.ts';
import { tellableSettings } from '../programs/settings.ts';
import type { StageConfig } from '../stage/config.ts';
import { REACHABLE_ZONES } from './reachable-zones.ts';

/** Facts about a region that only AWS knows, looked up while CloudFormation deploys. */
export class RegionFacts extends Construct {
  /** The addresses from which CloudFront calls origins. */
  readonly edgeAddresses: IPeer;
  /** Two zones that CloudFront supports. */
  readonly zones: string[];

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id);
    const lookUp = new GenwayFunction(this, 'LookUp', {
      config,
      name: 'look-up-region',
      // It waits up to a minute until its rights have taken effect.
      timeout: Duration.seconds(100),
      can: [toLookUp, tellableSettings(config).privateHosts],
    });
    const zoneIds = reachableZones(Stack.of(this).region);
    const facts = new CustomResource(this, 'Facts', {
      resourceType: 'Custom::GenwayRegion',
      serviceToken: lookUp.functionArn,
      serviceTimeout: Duration.minutes(2),
      properties: zoneIds === undefined ? {} : { ZoneIds: zoneIds },
    });
    // The function's role is a separate resource, and must be complete before the function is called.
    facts.node.addDependency(lookUp);
    this.edgeAddresses = Peer.prefixList(facts.getAttString('EdgeAddresses'));
    this.zones = ['FirstZone', 'SecondZone'].map((zone) => facts.getAttString(zone));
  }
}

const toLookUp: Capability = {
  environment: {},
  grant: (grantee) => {
    // EC2 supports no narrower resource for these actions.
    Grant.addToPrincipal({ grantee, actions: LOOK_UPS, resourceArns: ['*'] });
    acceptWildcard(grantee, '*', 'EC2 knows no narrower resource for what is looked up here');
  },
};

const LOOK_UPS = ['ec2:DescribeManagedPrefixLists', 'ec2:DescribeAvailabilityZones'];

/** If the region is unknown before the deployment, any two zones; the stage's setting `region` makes it known. */
const reachableZones = (region: string): readonly string[] | undefined =>
  Token.isUnresolved(region) ? undefined : REACHABLE_ZONES[region];
