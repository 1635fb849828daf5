import { CreateTableCommand, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, test } from '@jest/globals';
import type { LambdaFunctionURLEvent, LambdaFunctionURLResult } from 'aws-lambda';
import { signatureHeaders } from '../../functions/webhooks/signature.ts';
import { awsEnvironment } from '../../local/emulator/aws-access.ts';
import { stage } from './stage.ts';

const secrets = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const;
const EVENTS_TABLE = `receiver-${crypto.randomUUID()}`;

let handler: (event: LambdaFunctionURLEvent) => Promise<LambdaFunctionURLResult>;
let table: DynamoDBDocumentClient;

/** The receiver's own AWS account: a table for events, and the environment of its function. */
beforeAll(async () => {
  Object.assign(process.env, awsEnvironment(stage.aws), {
    EVENTS_TABLE,
    GENWAY_WEBHOOK_SECRETS: secrets.map((secret) => `whsec_${secret.toString('base64')}`).join(' '),
  });
  const client = new DynamoDBClient();
  table = DynamoDBDocumentClient.from(client);
  await client.send(
    new CreateTableCommand({
      TableName: EVENTS_TABLE,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    }),
  );
  await waitUntilTableExists({ client, maxWaitTime: 30 }, { TableName: EVENTS_TABLE });
  ({ handler } = await import('../../docs/webhooks/lambda-receiver.ts'));
});

async function remembered(): Promise<unknown[]> {
  const { Items = [] } = await table.send(new ScanCommand({ TableName: EVENTS_TABLE, ConsistentRead: true }));
  return Items.map(({ id, body }) => [id, body]).sort();
}

const BODY = '{ "type": "video.generation.completed",  "data": { "id": "vid_1", "text": "é🦊" } }';

function deliver(id: string, secret: Buffer, sent = BODY): Promise<LambdaFunctionURLResult> {
  const content = { id, timestamp: Math.floor(Date.now() / 1000), body: BODY };
  const headers = signatureHeaders(content, [secret]);
  // A function URL encodes such a body in base64.
  const body = Buffer.from(sent).toString('base64');
  return handler({ headers, body, isBase64Encoded: true } as unknown as LambdaFunctionURLEvent);
}

test('the Lambda receiver stores an event only once, and nothing unsigned', async () => {
  expect(await deliver('msg_1', secrets[0])).toEqual({ statusCode: 204 });
  expect(await deliver('msg_1', secrets[1])).toEqual({ statusCode: 204 });
  expect(await deliver('msg_2', secrets[1])).toEqual({ statusCode: 204 });
  expect(await deliver('msg_3', Buffer.alloc(32, 3))).toEqual({ statusCode: 401 });
  expect(await deliver('msg_3', secrets[0], BODY.replace('vid_1', 'vid_2'))).toEqual({ statusCode: 401 });
  expect(await remembered()).toEqual([
    ['msg_1', BODY],
    ['msg_2', BODY],
  ]);
});
