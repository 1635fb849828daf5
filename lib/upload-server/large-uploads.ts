import { CustomResource, Duration, Stack, Token, Validations } from 'aws-cdk-lib';
import { OriginProtocolPolicy, VpcOrigin, VpcOriginEndpoint } from 'aws-cdk-lib/aws-cloudfront';
import {
  GatewayVpcEndpointAwsService,
  type IPeer,
  type IVpc,
  Peer,
  Port,
  SecurityGroup,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import {
  ApplicationListener,
  ApplicationLoadBalancer,
  ApplicationProtocol,
  TargetGroupLoadBalancingAlgorithmType,
} from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { Construct, type IDependable } from 'constructs';
import { LOAD_BALANCER_IDLE, REQUEST_TIMEOUT } from '../../functions/endpoints/files/upload-server/limits.ts';
import { acceptFinding, acceptWildcard } from '../constructs/accept-finding.ts';
import { asInterface } from '../constructs/as-interface.ts';
import { type Capability, GenwayFunction } from '../constructs/program.ts';
import type { Plant } from '../monitoring/measures.ts';
import { tellableSettings } from '../programs/settings.ts';
import type { StageConfig } from '../stage/config.ts';
import { REACHABLE_ZONES } from './reachable-zones.ts';
import { SERVER_PORT, UploadService } from './service.ts';

interface LargeUploadsProps {
  readonly config: StageConfig;
  /** What the server needs to receive uploads, and for the work of the gate before them. */
  readonly uploader: Capability;
}

/**
 * Uploads that are too large for a Lambda go to a server behind a load balancer without a public address, which only
 * CloudFront can reach. The network exists only for these two.
 */
export class LargeUploads extends Construct {
  readonly loadBalancer: ApplicationLoadBalancer;
  readonly origin: VpcOrigin;
  /** The deployed server. */
  readonly service: IDependable;
  /** The names of its parts in CloudWatch. */
  readonly watched: NonNullable<Plant['uploadServer']>;

  constructor(scope: Construct, id: string, props: LargeUploadsProps) {
    super(scope, id);
    const facts = new RegionFacts(this, 'Region', props.config);
    const vpc = this.#network(facts, props.config);
    this.loadBalancer = this.#balance(vpc, facts, props.config);
    const listener = new ApplicationListener(this, 'Listener', {
      loadBalancer: this.loadBalancer,
      protocol: ApplicationProtocol.HTTP,
      open: false,
    });
    const { service, targets } = this.#serve(vpc, listener, props);
    this.service = service;
    this.watched = {
      loadBalancer: this.loadBalancer.loadBalancerFullName,
      targetGroup: targets.targetGroupFullName,
      cluster: service.cluster.clusterName,
      service: service.serviceName,
    };
    this.origin = new VpcOrigin(this, 'Origin', {
      endpoint: VpcOriginEndpoint.applicationLoadBalancer(this.loadBalancer),
      httpPort: 80,
      protocolPolicy: OriginProtocolPolicy.HTTP_ONLY,
    });
    // CloudFront refuses a network without an internet gateway, although it does not use the gateway.
    this.origin.node.addDependency(...waysOut(vpc), listener);
  }

  #network(facts: RegionFacts, { vpc }: StageConfig): IVpc {
    if (vpc === undefined) return this.#ownNetwork(facts);
    return Vpc.fromVpcAttributes(this, 'Network', {
      vpcId: vpc.id,
      availabilityZones: vpc.availabilityZones,
      // The load balancer and the server choose their own subnets, whatever that network calls them.
      publicSubnetIds: vpc.serverSubnets,
      isolatedSubnetIds: vpc.loadBalancerSubnets,
    });
  }

  #ownNetwork({ zones }: RegionFacts): IVpc {
    const vpc = new Vpc(this, 'Network', {
      availabilityZones: zones,
      natGateways: 0,
      subnetConfiguration: [
        { name: 'Server', subnetType: SubnetType.PUBLIC, mapPublicIpOnLaunch: false },
        { name: 'LoadBalancer', subnetType: SubnetType.PRIVATE_ISOLATED, cidrMask: 26 },
      ],
      // Both endpoints are free, and keep uploaded bytes off the internet.
      gatewayEndpoints: {
        S3: { service: GatewayVpcEndpointAwsService.S3 },
        DynamoDb: { service: GatewayVpcEndpointAwsService.DYNAMODB },
      },
      // Nothing here uses the default group, and restricting it would need an extra function.
      restrictDefaultSecurityGroup: false,
    });
    acceptFinding(
      vpc,
      'VPC7',
      'Only CloudFront comes in, and only AWS is reached; each request has its line of the log',
    );
    return asInterface<IVpc>(vpc);
  }

  #balance(vpc: IVpc, { edgeAddresses }: RegionFacts, { own }: StageConfig): ApplicationLoadBalancer {
    const securityGroup = this.#closed('LoadBalancerAccess', vpc);
    securityGroup.addIngressRule(edgeAddresses, Port.tcp(80), 'CloudFront');
    const balancer = new ApplicationLoadBalancer(this, 'LoadBalancer', {
      vpc,
      vpcSubnets: { subnetType: SubnetType.PRIVATE_ISOLATED },
      internetFacing: false,
      securityGroup,
      idleTimeout: Duration.millis(LOAD_BALANCER_IDLE),
      dropInvalidHeaderFields: true,
    });
    if (own.accessLogBucket !== undefined) {
      // CDK's own method must know the region, to write the policy of a bucket that it has made.
      balancer.setAttribute('access_logs.s3.enabled', 'true');
      balancer.setAttribute('access_logs.s3.bucket', own.accessLogBucket);
      balancer.setAttribute('access_logs.s3.prefix', `${Stack.of(this).stackName}/LoadBalancer`);
    }
    acceptFinding(balancer, 'ELB2', 'The server behind it logs each request with its key');
    // CDK's own acknowledgement: cdk-preflight's names have one `::` only.
    Validations.of(balancer).acknowledge({
      id: 'cdk-preflight::pf-elbv2-lb-one-subnet-per-az',
      reason: 'The two zones are two answers of one look-up, which this rule takes for the same',
    });
    return balancer;
  }

  /** Lets nothing in or out yet. CloudFormation replaces a group whose description changes, so no path of a construct is in it. */
  #closed(id: string, vpc: IVpc): SecurityGroup {
    const description = `${Stack.of(this).stackName}/LargeUploads/${id}`;
    return new SecurityGroup(this, id, { vpc, allowAllOutbound: false, description });
  }

  #serve(vpc: IVpc, listener: ApplicationListener, { config, uploader }: LargeUploadsProps) {
    const securityGroup = this.#closed('ServerAccess', vpc);
    securityGroup.addEgressRule(Peer.anyIpv4(), Port.tcp(443), 'AWS');
    const { service, taskRole } = new UploadService(this, 'Server', {
      config,
      vpc,
      securityGroup,
      environment: uploader.environment,
    });
    uploader.grant(taskRole);
    const targets = listener.addTargets('Server', {
      targets: [service],
      port: SERVER_PORT,
      protocol: ApplicationProtocol.HTTP,
      loadBalancingAlgorithmType: TargetGroupLoadBalancingAlgorithmType.LEAST_OUTSTANDING_REQUESTS,
      // A server that is being replaced finishes its uploads, and gets no new ones.
      deregistrationDelay: Duration.millis(REQUEST_TIMEOUT),
      healthCheck: { path: '/health', interval: Duration.seconds(15), healthyThresholdCount: 2 },
    });
    // Otherwise the tasks could lose their internet connection before they stop.
    service.node.addDependency(...waysOut(vpc));
    return { service, targets };
  }
}

/** The routes of its public subnets. Those of a network itself are only the gateway, and not that it is attached. */
const waysOut = (vpc: IVpc): IDependable[] =>
  vpc.publicSubnets.map((subnet) => subnet.internetConnectivityEstablished);

/** Facts about a region that only AWS knows, looked up while CloudFormation deploys. */
class RegionFacts extends Construct {
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
