import { beforeAll, describe, expect, test } from '@jest/globals';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { readSettings } from '../../lib/stage/read-settings.ts';
import { blocksOf } from '../docs/blocks.ts';
import { programsOf } from './roles.ts';
import { synthesize, synthesizePart, synthesizeWatch } from './template.ts';

const [example] = blocksOf('docs/bring-your-own.md');
const brought = { ...readSettings('prod', JSON.parse(example?.text ?? '')), auditExportDays: 365 };
const { own, vpc, webAclArn, alarms } = brought;

let stage: Template;
let logs: Template;
let watch: Template;
beforeAll(async () => {
  stage = await synthesize('prod', brought);
  logs = await synthesizePart('Logs', 'prod', brought);
  watch = await synthesizeWatch('prod', brought);
});

const all = (template: Template, type: string) => Object.values(template.findResources(type));

describe('a key for data', () => {
  test('encrypts every table and every bucket', () => {
    for (const { Properties } of all(stage, 'AWS::DynamoDB::GlobalTable')) {
      expect(Properties.SSESpecification).toEqual({ SSEEnabled: true, SSEType: 'KMS' });
      expect(Properties.Replicas).toEqual([
        expect.objectContaining({ SSESpecification: { KMSMasterKeyId: own.dataKeyArn } }),
      ]);
    }
    for (const { Properties } of all(stage, 'AWS::S3::Bucket')) {
      expect(Properties.BucketEncryption.ServerSideEncryptionConfiguration).toEqual([
        {
          BucketKeyEnabled: true,
          ServerSideEncryptionByDefault: { KMSMasterKeyID: own.dataKeyArn, SSEAlgorithm: 'aws:kms' },
        },
      ]);
    }
  });

  test('may be used by whoever reads rows or objects, through DynamoDB and S3 alone', () => {
    const services = new Set<string>();
    for (const [id, { Properties }] of Object.entries(stage.findResources('AWS::IAM::Role'))) {
      const statements: Statement[] = (Properties.Policies ?? []).flatMap(
        (policy: { PolicyDocument: { Statement: Statement[] } }) => policy.PolicyDocument.Statement,
      );
      const used = statements.filter(({ Resource }) => Resource === own.dataKeyArn);
      const does = (action: RegExp) => statements.some(({ Action }) => action.test(String(Action)));
      const through = used.map(({ Condition }) =>
        JSON.stringify(Condition?.StringEquals?.['kms:ViaService']),
      );
      const has = (service: string) => through.some((each = '') => each.includes(`${service}.`));
      expect([id, has('dynamodb'), has('s3')]).toEqual([
        id,
        does(/dynamodb:(?!DescribeStream|GetRecords|GetShard|ListStreams)/),
        does(/s3:(GetObject|PutObject)/),
      ]);
      for (const each of through) services.add(each ?? 'a stream');
    }
    // Lambda itself reads streams, with the consumer's role.
    expect(services.size).toBe(3);
  });

  test('is not asked of anybody on a stage that brings none', async () => {
    const plain = JSON.stringify((await synthesize('prod')).findResources('AWS::IAM::Role'));
    expect(plain).not.toContain('kms:ViaService');
  });
});

interface Statement {
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: { readonly StringEquals?: Readonly<Record<string, unknown>> };
}

test('a key for logs encrypts every log group, and they are kept for as long as the deployer says', () => {
  const groups = [...all(logs, 'AWS::Logs::LogGroup'), ...all(stage, 'AWS::Logs::LogGroup')];
  expect(groups.length).toBeGreaterThan(70);
  for (const { Properties } of groups)
    expect(Properties).toMatchObject({ KmsKeyId: own.logKeyArn, RetentionInDays: 400 });
});

test('a bucket for access logs gets those of each bucket and of the load balancer, in folders of their own', () => {
  const targets = all(stage, 'AWS::S3::Bucket').map(({ Properties }) => Properties.LoggingConfiguration);
  expect(targets).toHaveLength(4);
  expect(new Set(targets.map(({ LogFilePrefix }) => LogFilePrefix))).toEqual(
    new Set(['Files', 'Videos', 'Console', 'AuditExport'].map((folder) => `acme-prod/${folder}/`)),
  );
  for (const { DestinationBucketName } of targets) expect(DestinationBucketName).toBe(own.accessLogBucket);
  stage.hasResourceProperties('AWS::ElasticLoadBalancingV2::LoadBalancer', {
    LoadBalancerAttributes: Match.arrayWith([
      { Key: 'access_logs.s3.enabled', Value: 'true' },
      { Key: 'access_logs.s3.bucket', Value: own.accessLogBucket },
      { Key: 'access_logs.s3.prefix', Value: 'acme-prod/LoadBalancer' },
    ]),
  });
});

describe('a hosted zone', () => {
  test('gets the records of the stage’s name, and proves its certificate', () => {
    stage.hasResourceProperties('AWS::CertificateManager::Certificate', {
      DomainName: 'api.example.com',
      DomainValidationOptions: [{ DomainName: 'api.example.com', HostedZoneId: own.hostedZoneId }],
    });
    const [certificate] = Object.keys(stage.findResources('AWS::CertificateManager::Certificate'));
    stage.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: {
        Aliases: ['api.example.com'],
        ViewerCertificate: { AcmCertificateArn: { Ref: certificate } },
      },
    });
    for (const Type of ['A', 'AAAA']) {
      stage.hasResourceProperties('AWS::Route53::RecordSet', {
        Type,
        Name: 'api.example.com.',
        HostedZoneId: own.hostedZoneId,
        AliasTarget: {
          DNSName: { 'Fn::GetAtt': [Match.stringLikeRegexp('^EdgeDistribution'), 'DomainName'] },
        },
      });
    }
  });

  test('elsewhere than in us-east-1 leaves the certificate to the deployer', async () => {
    const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/c';
    const there = await synthesize('prod', {
      region: 'eu-central-1',
      domain: { name: 'api.example.com', certificateArn },
      own: { namePrefix: 'Genway', hostedZoneId: own.hostedZoneId ?? '' },
    });
    there.resourceCountIs('AWS::CertificateManager::Certificate', 0);
    there.resourceCountIs('AWS::Route53::RecordSet', 2);
  });
});

test('a permissions boundary limits every role, those of nested stacks too', () => {
  for (const template of [stage, logs, watch]) {
    for (const { Properties } of all(template, 'AWS::IAM::Role'))
      expect(Properties.PermissionsBoundary).toBe(own.permissionsBoundaryArn);
  }
  expect(all(stage, 'AWS::IAM::Role').length).toBeGreaterThan(70);
});

test('a prefix begins each name that Genway chooses', () => {
  const names = [
    ...all(stage, 'AWS::CloudWatch::Dashboard').map(({ Properties }) => Properties.DashboardName),
    ...all(stage, 'AWS::SNS::Topic').map(({ Properties }) => Properties.DisplayName),
    ...all(stage, 'AWS::ApiGateway::RestApi').map(({ Properties }) => Properties.Name),
    ...all(stage, 'AWS::CloudFront::PublicKey').map(({ Properties }) => Properties.PublicKeyConfig.Name),
    ...all(watch, 'AWS::Logs::QueryDefinition').map(({ Properties }) => Properties.Name),
  ];
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name: string) => !/^acme[-/]prod/.test(name))).toEqual([]);
});

test('a network, a firewall, a topic and tags are the deployer’s', () => {
  stage.resourceCountIs('AWS::EC2::VPC', 0);
  stage.hasResourceProperties('AWS::ElasticLoadBalancingV2::LoadBalancer', {
    Subnets: vpc?.loadBalancerSubnets ?? [],
  });
  stage.resourceCountIs('AWS::WAFv2::WebACL', 0);
  stage.allResourcesProperties('AWS::CloudFront::Distribution', {
    DistributionConfig: Match.objectLike({ WebACLId: webAclArn }),
  });
  const told = all(watch, 'AWS::CloudWatch::Alarm').flatMap(
    ({ Properties }) => Properties.AlarmActions ?? [],
  );
  expect(told).toContain(alarms.page[0]);
  expect(programsOf(stage).length).toBeGreaterThan(70);
  stage.allResourcesProperties('AWS::Lambda::Function', {
    Tags: Match.arrayWith([{ Key: 'owner', Value: 'video' }]),
  });
});
