import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { SQSClient } from '@aws-sdk/client-sqs';
import { createS3Client } from '../../functions/aws/s3.ts';
import { stage } from './stage.ts';

/** What tests named `*.both.test.ts` use here instead of the engines' clients (`jest.config.js`). */
export { dynamo } from './aws.ts';
export const dynamodb = new DynamoDBClient(stage.aws);
export const s3 = createS3Client({ ...stage.aws, forcePathStyle: true });
export const sqs = new SQSClient(stage.aws);
export const kms = new KMSClient(stage.aws);
export const role = stage.aws;
export const TRIES = 5;
