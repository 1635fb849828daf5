import { describe, expect, test } from '@jest/globals';
import { synthesize } from './template.ts';

const prod = synthesize('prod');

describe('what holds data', () => {
  test('keeps its place in the stack: under another logical id a deployment would begin with an empty one', () => {
    const ids = ['AWS::DynamoDB::GlobalTable', 'AWS::S3::Bucket', 'AWS::KMS::Key', 'AWS::SQS::Queue'].flatMap(
      (type) => Object.keys(prod.findResources(type)),
    );
    expect(ids.toSorted()).toEqual([
      'AccountsBE8A900E',
      'BucketsF2AD3CC3',
      'FilesBucket7C17EE2E',
      'FilesTableBFDD0A3F',
      'Keys4E30B592',
      'ProviderKeysKey5D96B4E3',
      'ProviderKeysTable8E6999CC',
      'Replays0062A655',
      'VideosCopies0B865948',
      'VideosCopiesDeadLettersFCF8F1E1',
      'VideosJobsBB6DB3D5',
      'VideosQueue9AC82832',
      'VideosQueueDeadLetters24FB7691',
      'VideosResults17DA7472',
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
