import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createS3Client } from '../../functions/aws/s3.ts';
import { stage } from './stage.ts';

/** What the conformance tests of the engines use here, so that they also test the emulator (`jest.config.js`). */
export const dynamodb = new DynamoDBClient(stage.aws);
export const dynamo = DynamoDBDocumentClient.from(dynamodb, {
  marshallOptions: { removeUndefinedValues: true },
});
export const s3 = createS3Client({ ...stage.aws, forcePathStyle: true });
export const sqs = new SQSClient(stage.aws);
export const kms = new KMSClient(stage.aws);
