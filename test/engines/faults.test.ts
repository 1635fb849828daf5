import { DecryptCommand } from '@aws-sdk/client-kms';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import {
  BatchGetCommand,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { AwsWorld, type AwsWorldSettings } from './aws-world.ts';
import { OwnQueue } from './conformance/own-queue.ts';
import { newKey, ownTable } from './conformance/own-table.ts';
import { refusal } from './conformance/refusal.ts';
import { type Fault, type FaultPlan, faultAt, faultsOf, noFaults } from './faults.ts';

const HOUR = 3_600_000;

/** A world with one table, and operations on one of its rows. */
async function start(settings: AwsWorldSettings = {}) {
  const world = new AwsWorld(settings);
  const clients = world.startProcess('worker');
  const TableName = await ownTable(clients.dynamodb);
  const Key = newKey();
  const add = (dynamo = clients.dynamo) =>
    dynamo.send(
      new UpdateCommand({
        TableName,
        Key,
        UpdateExpression: 'ADD n :one',
        ExpressionAttributeValues: { ':one': 1 },
      }),
    );
  const create = () =>
    clients.dynamo.send(
      new PutCommand({ TableName, Item: { ...Key, n: 1 }, ConditionExpression: 'attribute_not_exists(pk)' }),
    );
  const addInTransaction = () => {
    const update = {
      TableName,
      Key,
      UpdateExpression: 'ADD n :one',
      ExpressionAttributeValues: { ':one': 1 },
    };
    return clients.dynamo.send(new TransactWriteCommand({ TransactItems: [{ Update: update }] }));
  };
  /** Reads the count from another process, without faults. */
  const count = async () => {
    world.faults = noFaults;
    const { dynamo } = world.startProcess('reader');
    return (await dynamo.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item?.n ?? 0;
  };
  const attempts = () =>
    world.journal.calls.filter(
      ({ process, operation }) => process === 'worker' && operation !== 'CreateTable',
    ).length;
  const endsWithin = (call: Promise<unknown>, milliseconds: number) =>
    Promise.race([call.then(() => true), world.clock.wait(milliseconds).then(() => false)]);
  return { world, ...clients, TableName, Key, add, create, addInTransaction, count, attempts, endsWithin };
}

let it: Awaited<ReturnType<typeof start>>;
beforeEach(async () => {
  it = await start();
});

const updates = (fault: Fault, nth?: number): FaultPlan =>
  faultAt({ operation: 'UpdateItem', ...(nth === undefined ? {} : { nth }) }, fault);

describe('a fault', () => {
  test('before the effect makes the SDK try again, after a pause', async () => {
    const before = it.world.clock.now().getTime();
    it.world.faults = (call) => updates('error', 1)(call) ?? updates('throttled', 2)(call);
    const { $metadata } = await it.add();
    expect($metadata.attempts).toBe(3);
    expect(it.attempts()).toBe(3);
    expect(it.world.clock.now().getTime() - before).toBeGreaterThan(30);
    expect(await it.count()).toBe(1);
  });

  test('that lasts is thrown after all attempts of the client', async () => {
    it.world.faults = updates('throttled');
    expect((await refusal(it.add())).name).toBe('ThrottlingException');
    it.world.faults = updates('error');
    expect(await refusal(it.add())).toMatchObject({ $metadata: { httpStatusCode: 500, attempts: 3 } });
    expect(it.attempts()).toBe(6);
    expect(await it.count()).toBe(0);
  });

  test('that loses the response makes the SDK repeat the call', async () => {
    it.world.faults = updates('answer lost', 1);
    await it.add();
    expect(await it.count()).toBe(2);
  });

  test('that loses the response makes the repeated condition fail', async () => {
    it.world.faults = faultAt({ operation: 'PutItem', nth: 1 }, 'answer lost');
    expect((await refusal(it.create())).name).toBe('ConditionalCheckFailedException');
    expect(await it.count()).toBe(1);
  });

  test('that loses the response of a transaction does no harm: the SDK repeats its token', async () => {
    it.world.faults = faultAt({ operation: 'TransactWriteItems', nth: 1 }, 'answer lost');
    await it.addInTransaction();
    expect(it.attempts()).toBe(2);
    expect(await it.count()).toBe(1);
  });

  test.each([
    ['hang', 0],
    ['answer hangs', 1],
  ] as const)('%s never ends on its own', async (fault, effects) => {
    it.world.faults = updates(fault);
    expect(await it.endsWithin(it.add(), HOUR)).toBe(false);
    expect(await it.count()).toBe(effects);
  });

  test.each([
    ['hang', 1],
    ['answer hangs', 2],
  ] as const)('%s ends at the client’s timeout, and is retried', async (fault, effects) => {
    it = await start({ requestTimeout: 2_000 });
    it.world.faults = updates(fault, 1);
    await it.add();
    expect(await it.count()).toBe(effects);
  });

  test.each([
    ['crash before', 0],
    ['crash after', 1],
  ] as const)('%s ends only the process', async (fault, effects) => {
    it.world.faults = updates(fault);
    expect(await it.endsWithin(it.add(), HOUR)).toBe(false);
    expect(await it.process.crashed).toMatchObject({ operation: 'UpdateItem', process: 'worker' });
    expect(await it.count()).toBe(effects);
    expect(await it.endsWithin(it.add(), HOUR)).toBe(false);
    await it.add(it.world.startProcess('successor').dynamo);
    expect(await it.count()).toBe(effects + 1);
  });

  test('of a conflict refuses a write, and a transaction with its reasons', async () => {
    it.world.faults = () => 'conflict';
    expect((await refusal(it.add())).name).toBe('TransactionConflictException');
    expect(await refusal(it.addInTransaction())).toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'TransactionConflict' }],
    });
    expect(await it.count()).toBe(0);
  });

  test('leaves all items of a batch unprocessed except the first', async () => {
    it.world.faults = faultAt({ operation: 'BatchGetItem', nth: 1 }, 'unprocessed');
    const Keys = [newKey(), newKey(), newKey()];
    const { UnprocessedKeys } = await it.dynamo.send(
      new BatchGetCommand({ RequestItems: { [it.TableName]: { Keys, ConsistentRead: true } } }),
    );
    expect(UnprocessedKeys).toEqual({ [it.TableName]: { Keys: Keys.slice(1), ConsistentRead: true } });
  });

  test('stores a message twice, or delivers it to two receivers', async () => {
    const queue = await OwnQueue.create(it.sqs);
    it.world.faults = faultAt({ operation: 'SendMessage' }, 'duplicate');
    const { MessageId } = await queue.send('x');
    expect(await queue.receive()).toMatchObject([{ MessageId }, { MessageId }]);
    const other = await OwnQueue.create(it.sqs);
    it.world.faults = faultAt({ operation: 'ReceiveMessage' }, 'duplicate');
    await other.send('y');
    expect([await other.bodies(), await other.bodies()]).toEqual([['y'], ['y']]);
  });

  test('has the service’s own form, which the SDK understands', async () => {
    it.world.faults = () => 'throttled';
    const QueueUrl = 'https://sqs.us-east-1.amazonaws.com/000000000000/q';
    const calls = [
      () => it.s3.send(new GetObjectCommand({ Bucket: 'b', Key: 'k' })),
      () => it.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x' })),
      () => it.kms.send(new DecryptCommand({ CiphertextBlob: Buffer.from('x') })),
    ];
    for (const call of calls) expect(await refusal(call())).toMatchObject({ $metadata: { attempts: 3 } });
  });

  test('that a call cannot have is an error of the plan', async () => {
    it.world.faults = () => 'duplicate';
    expect((await refusal(it.add())).message).toBe('dynamodb UpdateItem cannot have the fault "duplicate"');
  });
});

describe('a seed', () => {
  const FAULTS: readonly Fault[] = ['error', 'throttled', 'answer lost', 'hang', 'conflict'];
  /** A random one of these faults, which the call can have, for 40 % of the calls. */
  const randomFaults =
    (random: () => number): FaultPlan =>
    (call) => {
      if (random() >= 0.4) return undefined;
      const possible = faultsOf(call).filter((fault) => FAULTS.includes(fault));
      return possible[Math.floor(random() * possible.length)];
    };

  /** Workers that count under many faults. Returns what happened, and when. */
  async function run(seed: number) {
    const { world, add, count } = await start({ seed, requestTimeout: 1_000 });
    world.faults = randomFaults(world.random);
    const outcomes = Array.from({ length: 20 }, () =>
      add(world.startProcess().dynamo).then(
        () => `done ${world.clock.now().toISOString()}`,
        ({ name }: Error) => `${name} ${world.clock.now().toISOString()}`,
      ),
    );
    return { outcomes: await Promise.all(outcomes), calls: world.journal.calls.length, n: await count() };
  }

  test('determines everything that happens', async () => {
    const [one, again, other] = [await run(7), await run(7), await run(8)];
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
    expect(one.calls).toBeGreaterThan(22);
  });
});
