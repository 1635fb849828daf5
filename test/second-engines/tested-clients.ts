import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { createS3Client } from '../../functions/aws/s3.ts';
import { announcedSchema } from './announced.ts';

const { root: credentials, ...servers } = v.parse(announcedSchema, process.env.GENWAY_SECOND_ENGINES);
const at = (endpoint: string) => ({ endpoint, region: 'us-east-1', credentials });

/** What tests named `*.both.test.ts` use here instead of the engines' clients (`jest.config.js` beside this file). */
export const dynamodb = new DynamoDBClient(at(servers.dynamodb));
export const dynamo = DynamoDBDocumentClient.from(dynamodb, {
  marshallOptions: { removeUndefinedValues: true },
});
export const s3 = createS3Client({ ...at(servers.s3), forcePathStyle: true });
export const sqs = new SQSClient(at(servers.sqs));
export const role = at(servers.s3);
export const TRIES = 5;
