import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { GenerateMacCommand, type KMSClient } from '@aws-sdk/client-kms';
import { ReceiveMessageCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import {
  BatchGetCommand,
  BatchWriteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { DeployedStage } from '../../deployed/deployed-stage.ts';
import { AwsWorld } from '../aws-world.ts';
import { type FaultPlan, faultAt } from '../faults.ts';

interface Clients {
  readonly dynamo: DynamoDBDocumentClient;
  readonly sqs: SQSClient;
  readonly kms: KMSClient;
}

/** Makes the same calls with the SDK's clients and with the direct ones, in two equal worlds. */
async function both(ask: (clients: Clients, stage: DeployedStage) => Promise<unknown>, faults?: FaultPlan) {
  const worlds = [new AwsWorld({ seed: 3 }), new AwsWorld({ seed: 3 })] as const;
  const [sdk, direct] = [worlds[0].startProcess(), worlds[1].startLightProcess('main')];
  const answers = await Promise.all(
    [sdk, direct].map(async (clients, place) => {
      const world = worlds[place]!;
      const stage = new DeployedStage(world);
      if (faults !== undefined) world.faults = faults;
      const answer = await ask(clients, stage).catch((error: Error) => error);
      return { answer: plain(answer), operations: world.journal.calls.map(({ operation }) => operation) };
    }),
  );
  return { sdk: answers[0], direct: answers[1] };
}

/** Removes the SDK's metadata about the exchange. */
function plain(answer: unknown): unknown {
  if (answer instanceof Error) {
    const { name, message, Item, CancellationReasons } = Object(answer);
    return { type: answer.constructor.name, name, message, Item, CancellationReasons };
  }
  const { $metadata: _, ...rest } = Object(answer);
  return rest;
}

const ROW = {
  id: 'vid_1',
  nothing: null,
  yes: true,
  number: -1.5,
  list: ['a', 1, { deep: [] }],
  names: new Set(['a', 'b']),
  bytes: Buffer.from('bytes'),
};

describe('a direct client gives the same responses as the SDK’s', () => {
  const table = (stage: DeployedStage) => stage.name('Videos-Jobs');
  const put = (stage: DeployedStage, Item: Record<string, unknown> = ROW) =>
    new PutCommand({ TableName: table(stage), Item });

  test.each<[string, (clients: Clients, stage: DeployedStage) => Promise<unknown>]>([
    [
      'a row of every kind of value',
      async ({ dynamo }, stage) => {
        await dynamo.send(put(stage));
        const { Item } = await dynamo.send(new GetCommand({ TableName: table(stage), Key: { id: 'vid_1' } }));
        return { ...Item, bytes: Buffer.from(Item?.bytes).toString() };
      },
    ],
    [
      'a row that is not there',
      async ({ dynamo }, stage) =>
        dynamo.send(new GetCommand({ TableName: table(stage), Key: { id: 'no' } })),
    ],
    [
      'a batch',
      async ({ dynamo }, stage) => {
        const rows = [{ PutRequest: { Item: { id: 'a' } } }, { DeleteRequest: { Key: { id: 'b' } } }];
        await dynamo.send(new BatchWriteCommand({ RequestItems: { [table(stage)]: rows } }));
        return dynamo.send(
          new BatchGetCommand({ RequestItems: { [table(stage)]: { Keys: [{ id: 'a' }] } } }),
        );
      },
    ],
    [
      'a batch of a table whose name is also the name of a field',
      async ({ dynamo }, stage) => {
        const TableName = stage.name('Keys');
        await dynamo.send(new PutCommand({ TableName, Item: { hash: 'a' } }));
        return dynamo.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [{ hash: 'a' }] } } }));
      },
    ],
    [
      'a condition that does not hold',
      async ({ dynamo }, stage) => {
        await dynamo.send(put(stage, { id: 'a', n: 1 }));
        return dynamo.send(
          new UpdateCommand({
            TableName: table(stage),
            Key: { id: 'a' },
            UpdateExpression: 'SET n = :n',
            ConditionExpression: 'n > :n',
            ExpressionAttributeValues: { ':n': 2 },
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        );
      },
    ],
    [
      'a transaction that is refused',
      async ({ dynamo }, stage) => {
        const Put = {
          TableName: table(stage),
          Item: { id: 'a' },
          ConditionExpression: 'attribute_exists(id)',
        };
        return dynamo.send(new TransactWriteCommand({ TransactItems: [{ Put }] }));
      },
    ],
    [
      'a query in pages',
      async ({ dynamo }, stage) => {
        for (const id of ['a', 'b', 'c']) await dynamo.send(put(stage, { id, workspace_id: 'w' }));
        const asked = {
          TableName: table(stage),
          IndexName: 'by-workspace',
          KeyConditionExpression: 'workspace_id = :w',
          ExpressionAttributeValues: { ':w': 'w' },
        };
        const found: unknown[] = [];
        for await (const { Items } of paginateQuery({ client: dynamo, pageSize: 2 }, asked))
          found.push(Items);
        return { found };
      },
    ],
    [
      'a message',
      async ({ sqs }, stage) => {
        const QueueUrl = stage.name('Videos-Queue');
        await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'body', MessageGroupId: undefined }));
        const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
        return { bodies: Messages.map(({ Body }) => Body) };
      },
    ],
    [
      'a MAC',
      async ({ kms }, stage) => {
        const KeyId = stage.name('Webhooks-SigningKey');
        const Message = Buffer.from('name');
        const { Mac } = await kms.send(
          new GenerateMacCommand({ KeyId, MacAlgorithm: 'HMAC_SHA_256', Message }),
        );
        return { mac: Buffer.from(Mac ?? []).toString('hex') };
      },
    ],
  ])('%s', async (_, ask) => {
    const { sdk, direct } = await both(ask);
    expect(direct).toEqual(sdk);
  });

  test.each(['error', 'throttled', 'answer lost', 'conflict'] as const)(
    'if a write meets: %s',
    async (fault) => {
      const ask = async ({ dynamo }: Clients, stage: DeployedStage) => dynamo.send(put(stage, { id: 'a' }));
      for (const plan of [faultAt({ nth: 1 }, fault), () => fault]) {
        const { sdk, direct } = await both(ask, plan);
        expect(direct).toEqual(sdk);
      }
    },
  );

  test('with the errors that our code asks for', async () => {
    const { dynamo } = new AwsWorld().startLightProcess('main');
    const world = new AwsWorld();
    const stage = new DeployedStage(world);
    const light = world.startLightProcess('main').dynamo;
    const Put = { TableName: table(stage), Item: { id: 'a' }, ConditionExpression: 'attribute_exists(id)' };
    await expect(light.send(new PutCommand(Put))).rejects.toThrow(ConditionalCheckFailedException);
    const transaction = new TransactWriteCommand({ TransactItems: [{ Put }] });
    await expect(light.send(transaction)).rejects.toThrow(TransactionCanceledException);
    await expect(dynamo.send(new PutCommand(Put))).rejects.toThrow('resource not found');
  });
});
