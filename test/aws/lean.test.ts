import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { lean, Sha256 } from '../../functions/aws/client-settings.ts';

const NOT_FOUND = new Error('no such table');

/** A client whose calls fail at once, what its logger was told, and the headers that it would have sent. */
function clientWithLogger() {
  const told: unknown[] = [];
  const sent: Record<string, string> = {};
  const tell = (line: unknown) => told.push(line);
  const client = new DynamoDBClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    maxAttempts: 1,
    logger: { trace: tell, debug: tell, info: tell, warn: tell, error: tell },
    requestHandler: {
      handle: ({ headers }: { headers: Record<string, string> }) => {
        Object.assign(sent, headers);
        return Promise.reject(NOT_FOUND);
      },
    },
  });
  return { client, told, sent };
}

const call = new GetItemCommand({ TableName: 't', Key: { id: { S: '1' } } });

test('a client of the SDK copies each call for its logger, and a lean one does not', async () => {
  const logged = clientWithLogger();
  await expect(logged.client.send(call)).rejects.toThrow(NOT_FOUND);
  expect(JSON.stringify(logged.told)).toContain('"commandName":"GetItemCommand"');

  const { client, told } = clientWithLogger();
  await expect(lean(client).send(call)).rejects.toThrow(NOT_FOUND);
  expect(JSON.stringify(told)).not.toContain('commandName');
});

test('a lean client says the same of itself in each call', async () => {
  const { client, sent } = clientWithLogger();
  await expect(lean(client).send(call)).rejects.toThrow(NOT_FOUND);
  expect(sent).toMatchObject({
    'user-agent': `Genway node/${process.versions.node}`,
    'x-amz-target': 'DynamoDB_20120810.GetItem',
  });
  expect(sent).not.toHaveProperty('x-amz-user-agent');
});

test('the clients of functions are lean, and sign with our hash', async () => {
  Object.assign(process.env, { AWS_REGION: 'us-east-1' });
  const { dynamo } = await import('../../functions/aws/dynamo.ts');
  const { kms } = await import('../../functions/aws/kms.ts');
  const { sqs } = await import('../../functions/aws/sqs.ts');
  for (const { middlewareStack, config } of [dynamo, kms, sqs]) {
    expect(middlewareStack.identify().filter((name) => name.startsWith('loggerMiddleware'))).toEqual([]);
    expect(config.sha256).toBe(Sha256);
  }
  const { s3 } = await import('../../functions/aws/s3.ts');
  expect(s3.config.sha256).toBe(Sha256);
});
