import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isOverload } from '../../functions/aws/retry.ts';
import { createS3Client } from '../../functions/aws/s3.ts';

type Answer = (response: ServerResponse) => void;

let answer: Answer;
let server: Server;
let endpoint: string;
beforeAll(async () => {
  server = createServer((incoming, response) => {
    incoming.resume().on('end', () => answer(response));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const settings = () => ({
  endpoint,
  region: 'us-east-1',
  maxAttempts: 1,
  credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
});

async function dynamoFailure(): Promise<unknown> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(settings()));
  const item = { Put: { TableName: 't', Item: { id: '1' } } };
  return client.send(new TransactWriteCommand({ TransactItems: [item] })).catch((error) => error);
}

async function s3Failure(): Promise<unknown> {
  const client = createS3Client({ ...settings(), forcePathStyle: true });
  return client.send(new PutObjectCommand({ Bucket: 'b', Key: 'k', Body: 'x' })).catch((error) => error);
}

const dynamoError =
  (status: number, type: string, more: object = {}): Answer =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/x-amz-json-1.0' })
      .end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'No', ...more }));
const cancelled = (...codes: string[]) =>
  dynamoError(400, 'TransactionCanceledException', { CancellationReasons: codes.map((Code) => ({ Code })) });
const s3Error =
  (status: number, code: string): Answer =>
  (response) =>
    response.writeHead(status).end(`<Error><Code>${code}</Code><Message>No</Message></Error>`);

describe('DynamoDB', () => {
  test.each<[string, Answer, boolean]>([
    ['throttles', dynamoError(400, 'ProvisionedThroughputExceededException'), true],
    ['is over its request limit', dynamoError(400, 'RequestLimitExceeded'), true],
    ['fails', dynamoError(500, 'InternalServerError'), true],
    ['throttles a transaction', cancelled('None', 'ThrottlingError'), true],
    ['has a conflict of transactions', cancelled('TransactionConflict'), true],
    ['has a conflict of a write with a transaction', dynamoError(400, 'TransactionConflictException'), true],
    ['refuses a condition', dynamoError(400, 'ConditionalCheckFailedException'), false],
    ['refuses a transaction', cancelled('None', 'ConditionalCheckFailed'), false],
    ['finds a request invalid', dynamoError(400, 'ValidationException'), false],
    ['denies access', dynamoError(400, 'AccessDeniedException'), false],
  ])('that %s', async (_, given, expected) => {
    answer = given;
    const error = await dynamoFailure();
    expect(error).toBeInstanceOf(Error);
    expect(isOverload(error)).toBe(expected);
  });
});

describe('S3', () => {
  test.each<[string, Answer, boolean]>([
    ['is busy', s3Error(503, 'SlowDown'), true],
    ['fails', s3Error(500, 'InternalError'), true],
    ['does not find the bucket', s3Error(404, 'NoSuchBucket'), false],
    ['denies access', s3Error(403, 'AccessDenied'), false],
  ])('that %s', async (_, given, expected) => {
    answer = given;
    const error = await s3Failure();
    expect(error).toBeInstanceOf(Error);
    expect(isOverload(error)).toBe(expected);
  });
});

// Errors with the properties that the SDK's error for a lost connection has.
test.each([
  [{ name: 'TimeoutError', code: 'ECONNRESET' }],
  [{ code: 'ECONNREFUSED' }],
  [{ code: 'ENOTFOUND' }],
  [{ name: 'TimeoutError' }],
])('a connection that ends in %j', (properties) => {
  expect(isOverload(Object.assign(new Error('socket hang up'), properties))).toBe(true);
});

test.each([[new Error('a defect')], [new TypeError('x is undefined')], ['a string'], [undefined], [null]])(
  '%p is not an overload',
  (thrown) => {
    expect(isOverload(thrown)).toBe(false);
  },
);
