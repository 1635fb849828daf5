import { DescribeTableCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { GenerateRandomCommand } from '@aws-sdk/client-kms';
import { GetObjectTaggingCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { expect, test } from '@jest/globals';
import { AwsWorld } from './aws-world.ts';
import { refusal } from './conformance/refusal.ts';

const world = new AwsWorld();
const { dynamodb, s3, sqs, kms } = world.startProcess();
const Body = Buffer.from('x');

test.each([
  [
    'an operation of DynamoDB',
    () => dynamodb.send(new DescribeTableCommand({ TableName: 't' })),
    /DescribeTable/,
  ],
  [
    'a parameter of it',
    () => dynamodb.send(new ScanCommand({ TableName: 't', Segment: 1, TotalSegments: 2 })),
    /Segment/,
  ],
  ['an operation of KMS', () => kms.send(new GenerateRandomCommand({ NumberOfBytes: 1 })), /GenerateRandom/],
  [
    'a parameter of SQS',
    () =>
      sqs.send(
        new SendMessageCommand({
          QueueUrl: 'https://sqs.us-east-1.amazonaws.com/000000000000/q',
          MessageBody: 'x',
          MessageDeduplicationId: '1',
        }),
      ),
    /MessageDeduplicationId/,
  ],
  ['an operation of S3', () => s3.send(new GetObjectTaggingCommand({ Bucket: 'b', Key: 'k' })), /tagging/],
  [
    'a parameter of it',
    () => s3.send(new PutObjectCommand({ Bucket: 'b', Key: 'k', Body, StorageClass: 'GLACIER' })),
    /x-amz-storage-class/,
  ],
])('%s that no engine supports is named, and not retried', async (_, call, message) => {
  const before = world.journal.calls.length;
  const error = await refusal(call());
  expect([error.name, error.message]).toEqual(['NotInEngine', expect.stringMatching(message)]);
  expect(world.journal.calls.length - before).toBeLessThanOrEqual(1);
});
