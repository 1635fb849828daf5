/** The smallest function that makes the same calls: it reads the body, calls AWS, and writes a response. */
import * as dynamodb from '@aws-sdk/client-dynamodb';
import * as kms from '@aws-sdk/client-kms';
import * as s3 from '@aws-sdk/client-s3';
import * as sqs from '@aws-sdk/client-sqs';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { AwsCall, Recording } from './recording.ts';

type Send = () => Promise<unknown>;

const clients = {
  dynamodb: new dynamodb.DynamoDBClient({ maxAttempts: 1 }),
  kms: new kms.KMSClient({ maxAttempts: 1 }),
  sqs: new sqs.SQSClient({ maxAttempts: 1, useQueueUrlAsEndpoint: false }),
  s3: new s3.S3Client({ maxAttempts: 1, forcePathStyle: true }),
};

// biome-ignore lint/suspicious/noExplicitAny: the input is what the SDK itself once wrote for this very command
const inputOf = ({ sent }: AwsCall): any => JSON.parse(sent, bytesAgain);

/** Bytes were recorded as base64. */
function bytesAgain(name: string, value: unknown): unknown {
  const isBytes = ['B', 'Plaintext', 'Message', 'CiphertextBlob'].includes(name) && typeof value === 'string';
  return isBytes ? Buffer.from(value, 'base64') : value;
}

const SENDERS: Readonly<Record<string, (call: AwsCall) => Send>> = {
  GetItem: (call) => () => clients.dynamodb.send(new dynamodb.GetItemCommand(inputOf(call))),
  BatchGetItem: (call) => () => clients.dynamodb.send(new dynamodb.BatchGetItemCommand(inputOf(call))),
  Query: (call) => () => clients.dynamodb.send(new dynamodb.QueryCommand(inputOf(call))),
  PutItem: (call) => () => clients.dynamodb.send(new dynamodb.PutItemCommand(inputOf(call))),
  UpdateItem: (call) => () => clients.dynamodb.send(new dynamodb.UpdateItemCommand(inputOf(call))),
  DeleteItem: (call) => () => clients.dynamodb.send(new dynamodb.DeleteItemCommand(inputOf(call))),
  TransactWriteItems: (call) => () =>
    clients.dynamodb.send(new dynamodb.TransactWriteItemsCommand(inputOf(call))),
  Encrypt: (call) => () => clients.kms.send(new kms.EncryptCommand(inputOf(call))),
  GenerateMac: (call) => () => clients.kms.send(new kms.GenerateMacCommand(inputOf(call))),
  SendMessage: (call) => () => clients.sqs.send(new sqs.SendMessageCommand(inputOf(call))),
  PUT:
    ({ sent }) =>
    () =>
      clients.s3.send(new s3.PutObjectCommand({ Bucket: 'b', Key: 'w/f', Body: Buffer.from(sent) })),
  DELETE: () => () => clients.s3.send(new s3.DeleteObjectCommand({ Bucket: 'b', Key: 'w/f' })),
};

export function bareHandler({ calls, status }: Recording) {
  const sends = calls.map((call) => {
    const sender = SENDERS[call.operation];
    if (sender === undefined) throw new Error(`a bare function cannot ${call.operation}`);
    return sender(call);
  });
  return async ({ body, isBase64Encoded }: APIGatewayProxyEvent) => {
    const text = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8').toString();
    const asked: unknown = text.startsWith('{') ? JSON.parse(text) : text.length;
    for (const send of sends) await send();
    return { statusCode: status, headers: {}, body: JSON.stringify({ asked }) };
  };
}
