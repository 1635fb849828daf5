import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Stage } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import {
  KEEP_ALIVE_TIMEOUT,
  LOAD_BALANCER_IDLE,
  REQUEST_TIMEOUT,
  STOP_TIMEOUT,
} from '../../../functions/endpoints/files/upload-server/limits.ts';
import { variables } from '../../../functions/environment-names.ts';
import { UPLOAD_PLACES } from '../../../functions/fair-shares.ts';
import { Bucket } from '../../../lib/constructs/bucket.ts';
import { type StageConfig, stageConfig } from '../../../lib/stage/config.ts';
import { LargeUploads } from '../../../lib/upload-server/large-uploads.ts';
import { emptyStack } from './empty-stack.ts';

function stackWith(changes: Partial<StageConfig>, region?: string) {
  const stack = emptyStack(region);
  const config = { ...stageConfig('prod'), ...changes };
  const { writer: uploader } = new Bucket(stack, 'Files', { config, variable: variables.filesBucket });
  new LargeUploads(stack, 'LargeUploads', { config, uploader });
  return stack;
}
const made = (changes: Partial<StageConfig> = {}, region?: string): Template =>
  Template.fromStack(stackWith(changes, region));

const assetsSchema = v.object({
  dockerImages: v.record(
    v.string(),
    v.object({ source: v.object({ dockerBuildArgs: v.optional(v.record(v.string(), v.string())) }) }),
  ),
});

/** The arguments with which the server's image is built. */
function buildArguments(changes: Partial<StageConfig>) {
  const stack = stackWith(changes);
  const folder = Stage.of(stack)?.synth().directory ?? '';
  const written = readFileSync(join(folder, `${stack.artifactId}.assets.json`), 'utf8');
  const { dockerImages } = v.parse(v.pipe(v.string(), v.parseJson(), assetsSchema), written);
  return Object.values(dockerImages)[0]?.source.dockerBuildArgs;
}

const prod = made();
const only = (type: string, template = prod) => {
  const all = Object.values(template.findResources(type));
  expect(all).toHaveLength(1);
  return all[0]!;
};
const attribute = (key: string, value: string) => Match.arrayWith([{ Key: key, Value: value }]);
const seconds = (milliseconds: number) => String(milliseconds / 1000);

describe('the network of large uploads', () => {
  test('has no NAT gateway and no endpoint that is paid by the hour', () => {
    prod.resourceCountIs('AWS::EC2::NatGateway', 0);
    const endpoints = Object.values(prod.findResources('AWS::EC2::VPCEndpoint'));
    expect(endpoints.map(({ Properties }) => Properties.VpcEndpointType)).toEqual(['Gateway', 'Gateway']);
  });

  test('is in two zones that CloudFront supports, whatever the account calls them', () => {
    const subnets = Object.values(prod.findResources('AWS::EC2::Subnet'));
    const zones = new Set(subnets.map(({ Properties }) => JSON.stringify(Properties.AvailabilityZone)));
    expect([...zones].map((zone) => JSON.parse(zone)['Fn::GetAtt'][1])).toEqual(['FirstZone', 'SecondZone']);
  });

  test.each([
    ['us-east-1', ['use1-az1', 'use1-az2', 'use1-az4', 'use1-az5', 'use1-az6']],
    ['ca-central-1', ['cac1-az1', 'cac1-az2', 'cac1-az4']],
    ['eu-central-1', undefined],
    [undefined, undefined],
  ])('leaves out the zone of %s that CloudFront does not support', (region, ids) => {
    expect(only('Custom::GenwayRegion', made({}, region)).Properties.ZoneIds).toEqual(ids);
  });

  test('has its way to the internet before CloudFront and the server need it, and as long as they do', () => {
    const ways = [
      ...Object.keys(prod.findResources('AWS::EC2::Route')),
      ...Object.keys(prod.findResources('AWS::EC2::VPCGatewayAttachment')),
    ];
    expect(ways).toHaveLength(3);
    const all = prod.toJSON().Resources;
    for (const type of ['AWS::CloudFront::VpcOrigin', 'AWS::ECS::Service']) {
      const { DependsOn } = only(type);
      const before = new Set(DependsOn.flatMap((id: string) => [id, ...(all[id].DependsOn ?? [])]));
      expect([type, ways.filter((way) => !before.has(way))]).toEqual([type, []]);
    }
  });

  test('lets only CloudFront reach the load balancer, and only the load balancer reach the server', () => {
    prod.hasResourceProperties('AWS::ElasticLoadBalancingV2::LoadBalancer', { Scheme: 'internal' });
    for (const { Properties } of Object.values(prod.findResources('AWS::EC2::SecurityGroup'))) {
      expect(Properties.SecurityGroupIngress).toBeUndefined();
    }
    const ingress = Object.values(prod.findResources('AWS::EC2::SecurityGroupIngress'));
    expect(
      ingress.map(({ Properties }) => [Properties.FromPort, Properties.ToPort, Properties.CidrIp]),
    ).toEqual([
      [80, 80, undefined],
      [8080, 8080, undefined],
    ]);
    expect(ingress[0]!.Properties.SourcePrefixListId['Fn::GetAtt'][1]).toBe('EdgeAddresses');
    expect(ingress[1]!.Properties.SourceSecurityGroupId).toBeDefined();
  });

  test('lets the server call only AWS, over TLS', () => {
    prod.hasResourceProperties('AWS::EC2::SecurityGroup', {
      SecurityGroupEgress: [
        { CidrIp: '0.0.0.0/0', IpProtocol: 'tcp', FromPort: 443, ToPort: 443, Description: 'AWS' },
      ],
    });
  });
});

describe('the timeouts for a slow upload', () => {
  test('let each side that sends requests be the one that closes idle connections', () => {
    expect(KEEP_ALIVE_TIMEOUT).toBeGreaterThan(LOAD_BALANCER_IDLE);
    prod.hasResourceProperties('AWS::ElasticLoadBalancingV2::LoadBalancer', {
      LoadBalancerAttributes: attribute('idle_timeout.timeout_seconds', seconds(LOAD_BALANCER_IDLE)),
    });
  });

  test('let a replaced server finish all its uploads', () => {
    prod.hasResourceProperties('AWS::ElasticLoadBalancingV2::TargetGroup', {
      TargetGroupAttributes: attribute('deregistration_delay.timeout_seconds', seconds(REQUEST_TIMEOUT)),
    });
    prod.hasResourceProperties('AWS::ECS::TaskDefinition', {
      ContainerDefinitions: [Match.objectLike({ StopTimeout: 120 })],
    });
    expect(STOP_TIMEOUT).toBeLessThan(120_000);
  });
});

test('the looked-up facts are waited for until the right to look has taken effect', () => {
  const { Properties, DependsOn } = only('Custom::GenwayRegion');
  const [id] = Properties.ServiceToken['Fn::GetAtt'];
  const { Properties: lookUp } = prod.toJSON().Resources[id];
  expect(lookUp.Timeout).toBeGreaterThan(60);
  expect(lookUp.Timeout).toBeLessThan(Number(Properties.ServiceTimeout));
  expect(DependsOn).toContain(id);
});

describe('the server of large uploads', () => {
  test('runs on ARM, on a read-only disk, with the least memory and CPU', () => {
    prod.hasResourceProperties('AWS::ECS::TaskDefinition', {
      Cpu: '256',
      Memory: '512',
      RuntimePlatform: { CpuArchitecture: 'ARM64', OperatingSystemFamily: 'LINUX' },
      ContainerDefinitions: [
        Match.objectLike({
          ReadonlyRootFilesystem: true,
          PortMappings: [Match.objectLike({ ContainerPort: 8080 })],
        }),
      ],
    });
  });

  test('has health checks, and a version that never gets healthy is rolled back', () => {
    prod.hasResourceProperties('AWS::ElasticLoadBalancingV2::TargetGroup', { HealthCheckPath: '/health' });
    prod.hasResourceProperties('AWS::ECS::Service', {
      DeploymentConfiguration: {
        DeploymentCircuitBreaker: { Enable: true, Rollback: true },
        MinimumHealthyPercent: 100,
        MaximumPercent: 200,
      },
      NetworkConfiguration: { AwsvpcConfiguration: Match.objectLike({ AssignPublicIp: 'ENABLED' }) },
    });
  });

  test('scales with its load, and no deployment resets its size', () => {
    prod.hasResourceProperties('AWS::ApplicationAutoScaling::ScalableTarget', {
      MinCapacity: 2,
      MaxCapacity: 10,
    });
    prod.resourceCountIs('AWS::ApplicationAutoScaling::ScalingPolicy', 3);
    expect(only('AWS::ECS::Service').Properties.DesiredCount).toBeUndefined();
  });

  test('scales up when half of its slots are taken, on average', () => {
    prod.hasResourceProperties('AWS::ApplicationAutoScaling::ScalingPolicy', {
      TargetTrackingScalingPolicyConfiguration: Match.objectLike({
        TargetValue: UPLOAD_PLACES / 2,
        CustomizedMetricSpecification: {
          Namespace: 'Genway/prod',
          MetricName: 'UploadsInProgress',
          Dimensions: [{ Name: 'service', Value: 'genway' }],
          Statistic: 'Average',
        },
      }),
    });
  });

  test('is built on an image by its digest: ours, or the one that the stage names', () => {
    const uploadBaseImage = `public.ecr.aws/docker/library/node:24-slim@sha256:${'0a'.repeat(32)}`;
    expect(buildArguments({ uploadBaseImage })).toEqual({ BASE_IMAGE: uploadBaseImage });
    expect(buildArguments({})).toBeUndefined();
  });
});

describe('in the deployer’s own network', () => {
  const vpc = {
    id: 'vpc-0123456789abcdef0',
    availabilityZones: ['eu-central-1a', 'eu-central-1b'],
    serverSubnets: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'],
    loadBalancerSubnets: ['subnet-0123456789abcdef2', 'subnet-0123456789abcdef3'],
    publicAddresses: false,
  };
  const lodger = made({ vpc });

  test('no network is created, and each part is where the stage says', () => {
    for (const type of ['VPC', 'Subnet', 'InternetGateway', 'RouteTable', 'VPCEndpoint']) {
      lodger.resourceCountIs(`AWS::EC2::${type}`, 0);
    }
    lodger.hasResourceProperties('AWS::ElasticLoadBalancingV2::LoadBalancer', {
      Subnets: vpc.loadBalancerSubnets,
    });
    lodger.hasResourceProperties('AWS::ECS::Service', {
      NetworkConfiguration: {
        AwsvpcConfiguration: { Subnets: vpc.serverSubnets, AssignPublicIp: 'DISABLED' },
      },
    });
  });
});
