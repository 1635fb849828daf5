import {
  DeleteMessageBatchCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  PurgeQueueCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { describe, expect, test } from '@jest/globals';
import { OwnQueue } from './own-queue.ts';
import { refusal } from './refusal.ts';
import { sqs } from './tested-clients.ts';

const COUNTS = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
] as const;

describe('a message', () => {
  const newQueue = (attributes?: Record<string, string>) => OwnQueue.create(sqs, attributes);
  const remove = (queue: OwnQueue, ReceiptHandle: string | undefined) =>
    sqs.send(new DeleteMessageCommand({ QueueUrl: queue.url, ReceiptHandle }));

  test('is delivered unchanged, to one receiver, until it is deleted', async () => {
    const queue = await newQueue({ VisibilityTimeout: '1' });
    const { MessageId } = await queue.send('ä€😀', { MessageGroupId: 'tenant' });
    const [message] = await queue.receive({ MessageSystemAttributeNames: ['All'] });
    expect(message).toMatchObject({
      MessageId,
      Body: 'ä€😀',
      Attributes: { ApproximateReceiveCount: '1', MessageGroupId: 'tenant' },
    });
    await remove(queue, message?.ReceiptHandle);
    await queue.send('later', { DelaySeconds: 2 });
    expect(await queue.bodies({ WaitTimeSeconds: 20 })).toEqual(['later']);
  });

  test('is invisible to others, and comes back when it has not been deleted in time', async () => {
    const queue = await newQueue({ VisibilityTimeout: '1' });
    await queue.send('x');
    const [first] = await queue.receive();
    expect(await queue.receive()).toEqual([]);
    const [second] = await queue.receive({
      MessageSystemAttributeNames: ['ApproximateReceiveCount'],
      WaitTimeSeconds: 20,
    });
    expect(second?.Attributes).toEqual({ ApproximateReceiveCount: '2' });
    expect(second?.ReceiptHandle).not.toBe(first?.ReceiptHandle);
  });

  test('waits for as long as it is delayed', async () => {
    const queue = await newQueue();
    await queue.send('x', { DelaySeconds: 2 });
    expect(await queue.receive()).toEqual([]);
    expect(await queue.bodies({ WaitTimeSeconds: 20 })).toEqual(['x']);
  });

  test('ends the long poll of a receiver', async () => {
    const queue = await newQueue();
    const waiting = queue.bodies({ WaitTimeSeconds: 20 });
    await queue.send('x');
    expect(await waiting).toEqual(['x']);
  });

  test('that is received too often becomes a dead letter', async () => {
    const dead = await newQueue();
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: dead.url, AttributeNames: ['QueueArn'] }),
    );
    const policy = { deadLetterTargetArn: Attributes?.QueueArn, maxReceiveCount: 2 };
    const queue = await newQueue({ VisibilityTimeout: '0', RedrivePolicy: JSON.stringify(policy) });
    await queue.send('poison');
    expect(await queue.bodies()).toEqual(['poison']);
    expect(await queue.bodies()).toEqual(['poison']);
    expect(await dead.receive()).toEqual([]);
    expect(await queue.bodies()).toEqual([]);
    expect(await dead.bodies()).toEqual(['poison']);
  });

  test('is counted, until the queue is purged', async () => {
    const queue = await newQueue();
    for (const body of ['a', 'b', 'c']) await queue.send(body);
    await queue.send('d', { DelaySeconds: 60 });
    await queue.receive({ MaxNumberOfMessages: 1 });
    const counts = async () => {
      const { Attributes } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl: queue.url, AttributeNames: ['All'] }),
      );
      return COUNTS.map((name) => Attributes?.[name]);
    };
    expect(await counts()).toEqual(['2', '1', '1']);
    await sqs.send(new PurgeQueueCommand({ QueueUrl: queue.url }));
    expect(await counts()).toEqual(['0', '0', '0']);
  });

  test('is in a queue that can be found by its name', async () => {
    const { url } = await newQueue();
    const find = (QueueName: string) => sqs.send(new GetQueueUrlCommand({ QueueName }));
    const name = url.split('/').at(-1) ?? '';
    expect((await find(name)).QueueUrl).toBe(url);
    expect((await refusal(find(`no-${name}`))).constructor.name).toBe('QueueDoesNotExist');
  });

  describe('is deleted with others', () => {
    const tenReceived = async () => {
      const queue = await newQueue();
      for (let i = 0; i < 10; i++) await queue.send('x');
      const received = await queue.receive();
      const Entries = received.map(({ ReceiptHandle }, i) => ({ Id: String(i), ReceiptHandle }));
      const removeAll = (each: typeof Entries) =>
        sqs.send(new DeleteMessageBatchCommand({ QueueUrl: queue.url, Entries: each }));
      return { queue, Entries, removeAll };
    };

    test('of up to ten', async () => {
      const { queue, Entries, removeAll } = await tenReceived();
      const error = await refusal(removeAll([...Entries, { ...Entries[0]!, Id: '10' }]));
      expect(error.constructor.name).toBe('TooManyEntriesInBatchRequest');
      expect((await removeAll(Entries)).Successful).toHaveLength(10);
      expect(await queue.receive({ VisibilityTimeout: 0 })).toEqual([]);
    });

    test('of at least one, with different ids', async () => {
      const { Entries, removeAll } = await tenReceived();
      const wrong = async (each: typeof Entries) => (await refusal(removeAll(each))).constructor.name;
      expect(await wrong([])).toBe('EmptyBatchRequest');
      expect(await wrong([Entries[0]!, Entries[0]!])).toBe('BatchEntryIdsNotDistinct');
    });
  });

  test('must not be larger than its queue allows', async () => {
    const queue = await newQueue({ MaximumMessageSize: '1024' });
    await queue.send('x'.repeat(1024));
    expect((await refusal(queue.send('x'.repeat(1025)))).message).toMatch(/shorter than 1024 bytes/);
  });

  test('needs an existing queue, and has at most nine others beside it', async () => {
    const queue = await newQueue();
    const nowhere = new SendMessageCommand({
      QueueUrl: queue.url.replace('own-', 'no-'),
      MessageBody: 'x',
    });
    expect((await refusal(sqs.send(nowhere))).constructor.name).toBe('QueueDoesNotExist');
    expect((await refusal(queue.receive({ MaxNumberOfMessages: 11 }))).message).toMatch(
      /MaxNumberOfMessages/,
    );
  });
});
