import { describe, expect, test } from '@jest/globals';
import { HOLDS_DATA } from '../../bin/changes/command.ts';
import { rolesOf } from './roles.ts';
import { synthesize } from './template.ts';

const prod = await synthesize('prod');

const dev = await synthesize('dev');

test('a stage with "destroy" empties its buckets before they are deleted; one with "retain" cannot', () => {
  const buckets = Object.keys(dev.findResources('AWS::S3::Bucket'));
  const emptied = Object.values(dev.findResources('Custom::GenwayEmptiedBucket'));
  expect(emptied.map(({ Properties }) => Properties.BucketName.Ref).toSorted()).toEqual(buckets.toSorted());
  const empty = Object.entries(dev.findResources('AWS::Lambda::Function')).find(
    ([, { Properties }]) => Properties.Environment?.Variables.POWERTOOLS_SERVICE_NAME === 'empty-bucket',
  );
  // CloudFormation deletes a resource after everything that depends on it. So the bucket is emptied while the function
  // and its role still exist.
  for (const { DependsOn } of emptied) expect(DependsOn).toContain(empty?.[0]);
  const role = empty?.[1].Properties.Role['Fn::GetAtt'][0];
  const actions = rolesOf(dev)
    .get(role)
    ?.flatMap(({ Action }) => Action);
  expect(actions).toEqual(expect.arrayContaining(['s3:ListBucketVersions', 's3:DeleteObjectVersion']));
  prod.resourceCountIs('Custom::GenwayEmptiedBucket', 0);
});

test('no program can write to a bucket any more when it is emptied', () => {
  const emptied = Object.keys(dev.findResources('Custom::GenwayEmptiedBucket'));
  const roles = dev.findResources('AWS::IAM::Role');
  const writers = [...rolesOf(dev)].filter(([, statements]) =>
    statements.some(({ Action }) => Action.includes('s3:PutObject')),
  );
  expect(writers.length).toBeGreaterThan(3);
  for (const [id] of writers) {
    const { DependsOn = [] } = roles[id] ?? {};
    expect([id, emptied.some((each) => DependsOn.includes(each))]).toEqual([id, true]);
  }
});

test('prod keeps deleted objects for a while, and has multi-region keys', () => {
  for (const { Properties } of Object.values(prod.findResources('AWS::S3::Bucket'))) {
    expect(Properties.VersioningConfiguration).toEqual({ Status: 'Enabled' });
    expect(Properties.LifecycleConfiguration.Rules).toContainEqual({
      NoncurrentVersionExpiration: { NoncurrentDays: 7 },
      ExpiredObjectDeleteMarker: true,
      Status: 'Enabled',
    });
  }
  for (const { Properties } of Object.values(prod.findResources('AWS::KMS::Key'))) {
    expect(Properties.MultiRegion).toBe(true);
  }
  for (const { Properties } of Object.values(dev.findResources('AWS::S3::Bucket'))) {
    expect(Properties).not.toHaveProperty('VersioningConfiguration');
  }
});

describe('a resource with data', () => {
  test('keeps its logical id, because under another one a deployment would create an empty resource', () => {
    const ids = HOLDS_DATA.flatMap((type) => Object.keys(prod.findResources(type)));
    expect(ids.toSorted()).toEqual([
      'AccountsBE8A900E',
      'Approvals8537C562',
      'Audit3D8ADE0A',
      'Broadcast21A29F1F',
      'BucketsF2AD3CC3',
      'ConsoleBucket86B6957C',
      'DownloadsKey383990EA',
      'FilesBucket7C17EE2E',
      'FilesTableBFDD0A3F',
      'GenerationsKey0F9C8A5F',
      'GenerationsLogsD3074C73',
      'GuardrailsAC0CF304',
      'Keys4E30B592',
      'ListsCB6DC742',
      'ProviderKeysKey5D96B4E3',
      'ProviderKeysTable8E6999CC',
      'Replays0062A655',
      'RoutingEndpointsD4D9F2E5',
      'RoutingFigures8E4969D6',
      'Sessions8896A56D',
      'VideosCopies0B865948',
      'VideosCopiesDeadLettersFCF8F1E1',
      'VideosJobsBB6DB3D5',
      'VideosQueue9AC82832',
      'VideosQueueDeadLetters24FB7691',
      'VideosResults17DA7472',
      'VideosShares2F7DAC16',
      'VideosSubmits5CA3F287',
      'VideosSubmitsDeadLettersCF47CD6D',
      'WebhooksEventsD5F34A63',
      'WebhooksHostsE3C6753A',
      'WebhooksQueueCBC86013',
      'WebhooksQueueDeadLetters69E26210',
      'WebhooksSettings9DE6FCD2',
      'WebhooksSigningKeyE942A5B4',
      'Workspaces72022D37',
    ]);
  });
});

describe('the retained resources', () => {
  const retained = Object.entries(prod.toJSON().Resources as Record<string, Retainable>).filter(
    ([, { DeletionPolicy }]) => DeletionPolicy?.startsWith('Retain'),
  );

  test('are all with data except queues, whose messages sweepers send again', () => {
    const ids = HOLDS_DATA.filter((type) => type !== 'AWS::SQS::Queue').flatMap((type) =>
      Object.keys(prod.findResources(type)),
    );
    // These belong to the account, and other stages may use them for their access logs.
    const ofTheAccount = ['RestApiAccount275E5A11', 'RestApiCloudWatchRole02A86EA0'];
    expect(retained.map(([id]) => id).toSorted()).toEqual([...ids, ...ofTheAccount].toSorted());
  });

  test('that a failed deployment has just created are deleted with it, except protected tables', () => {
    for (const type of ['AWS::S3::Bucket', 'AWS::KMS::Key'])
      prod.allResources(type, { DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
    // CloudFormation cannot delete a protected table: the rollback would fail as well.
    prod.allResources('AWS::DynamoDB::GlobalTable', {
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
    });
  });

  test('refer to nothing else, so that they can be imported alone', () => {
    const kept = new Set(retained.map(([id]) => id));
    for (const [id, { Properties }] of retained) {
      const others = referredTo(Properties).filter((name) => !name.startsWith('AWS::') && !kept.has(name));
      expect([id, others]).toEqual([id, []]);
    }
  });
});

interface Retainable {
  readonly DeletionPolicy?: string;
  readonly Properties?: unknown;
}

function referredTo(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name === 'Ref') return [String(inner)];
    if (name === 'Fn::GetAtt') return [String(Array.isArray(inner) ? inner[0] : inner)];
    return referredTo(inner);
  });
}
