import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { describe, expect, test } from '@jest/globals';
import { AwsWorld } from '../aws-world.ts';
import { OwnQueue } from '../conformance/own-queue.ts';
import { refusal } from '../conformance/refusal.ts';

/** AWS does this and the emulator does not, so the conformance suite cannot contain it. */
describe('more strictly than the emulator, the engine of SQS', () => {
  const world = new AwsWorld();
  const { sqs } = world.startProcess();

  test('accepts the deletion of a deleted message, but ignores an earlier receiver’s handle', async () => {
    const queue = await OwnQueue.create(sqs, { VisibilityTimeout: '1' });
    const remove = (ReceiptHandle: string | undefined) =>
      sqs.send(new DeleteMessageCommand({ QueueUrl: queue.url, ReceiptHandle }));
    await queue.send('x');
    const [early] = await queue.receive();
    await world.clock.wait(1_000);
    const [late] = await queue.receive();
    await remove(early?.ReceiptHandle);
    expect(await queue.bodies({ WaitTimeSeconds: 2, VisibilityTimeout: 0 })).toEqual(['x']);
    const [last] = await queue.receive();
    for (const message of [late, last, last]) await remove(message?.ReceiptHandle);
    expect(await queue.receive({ WaitTimeSeconds: 20 })).toEqual([]);
    expect((await refusal(remove('rubbish'))).constructor.name).toBe('ReceiptHandleIsInvalid');
  });

  test('delays by 15 minutes at most, and keeps messages for as long as the queue says', async () => {
    const queue = await OwnQueue.create(sqs, { MessageRetentionPeriod: '1000' });
    expect((await refusal(queue.send('x', { DelaySeconds: 901 }))).message).toMatch(/DelaySeconds/);
    await queue.send('delayed', { DelaySeconds: 900 });
    await world.clock.wait(899_000);
    expect(await queue.receive()).toEqual([]);
    await world.clock.wait(1_000);
    expect(await queue.bodies({ VisibilityTimeout: 0 })).toEqual(['delayed']);
    await world.clock.wait(101_000);
    expect(await queue.receive()).toEqual([]);
  });

  test('accepts a message of 1 MiB, and no larger one', async () => {
    const queue = await OwnQueue.create(sqs);
    await queue.send('x'.repeat(1_048_576));
    expect((await refusal(queue.send('x'.repeat(1_048_577)))).message).toMatch(/shorter than 1048576 bytes/);
  });

  test('answers a long poll as soon as there is a message, or at its end', async () => {
    const queue = await OwnQueue.create(sqs);
    const since = (start: Date) => (world.clock.now().getTime() - start.getTime()) / 1000;
    const start = world.clock.now();
    const waiting = queue.bodies({ WaitTimeSeconds: 20 });
    await world.clock.wait(5_000);
    await queue.send('x');
    expect(await waiting).toEqual(['x']);
    expect(since(start)).toBeCloseTo(5, 0);
    await queue.send('y', { DelaySeconds: 7 });
    expect(await queue.bodies({ WaitTimeSeconds: 20 })).toEqual(['y']);
    expect(since(start)).toBeCloseTo(12, 0);
    expect(await queue.bodies({ WaitTimeSeconds: 20 })).toEqual([]);
    expect(since(start)).toBeCloseTo(32, 0);
  });

  test('redrives dead letters to their source queue', async () => {
    const dead = await OwnQueue.create(sqs);
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: dead.url, AttributeNames: ['QueueArn'] }),
    );
    const policy = { deadLetterTargetArn: Attributes?.QueueArn, maxReceiveCount: 1 };
    const queue = await OwnQueue.create(sqs, {
      VisibilityTimeout: '0',
      RedrivePolicy: JSON.stringify(policy),
    });
    await queue.send('poison', { MessageGroupId: 'tenant' });
    for (let round = 0; round < 3; round++) {
      expect(await queue.bodies()).toEqual(['poison']);
      expect(await queue.bodies()).toEqual([]);
      await sqs.send(new StartMessageMoveTaskCommand({ SourceArn: Attributes?.QueueArn }));
      expect(await dead.bodies()).toEqual([]);
    }
    const [message] = await queue.receive({ MessageSystemAttributeNames: ['All'] });
    expect(message?.Attributes).toMatchObject({ ApproximateReceiveCount: '1', MessageGroupId: 'tenant' });
  });

  test('delivers waiting messages in any order, once configured', async () => {
    const queue = await OwnQueue.create(sqs);
    const bodies = Array.from({ length: 30 }, (_, i) => String(i));
    for (const body of bodies) await queue.send(body);
    world.sqs.isShuffled = true;
    const found: unknown[] = [];
    while (found.length < bodies.length) found.push(...(await queue.bodies({ VisibilityTimeout: 60 })));
    world.sqs.isShuffled = false;
    expect(found).not.toEqual(bodies);
    expect(found.toSorted((a, b) => Number(a) - Number(b))).toEqual(bodies);
  });

  /** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues-detailed.html */
  test('prefers groups of messages that take a tenth of the receivers’ time at most', async () => {
    const queue = await OwnQueue.create(sqs);
    const send = (group: string, ...bodies: string[]) =>
      Promise.all(bodies.map((body) => queue.send(body, { MessageGroupId: group })));
    const receive = () => queue.receive({ MaxNumberOfMessages: 1 });
    await send('noisy', 'a', 'b', 'c', 'd');
    const [slow] = await receive();
    await world.clock.wait(15_000);
    await remove(queue, slow);
    await send('quiet', 'x', 'y');
    const [quick] = await receive();
    await world.clock.wait(1_000);
    await remove(queue, quick);
    expect(quick?.Body).toBe('x');
    expect(await queue.bodies()).toEqual(['y']);
    expect(await queue.bodies({ MaxNumberOfMessages: 2 })).toEqual(['b', 'c']);
    await send('other', 'm');
    await world.clock.wait(2_000);
    expect((await receive())[0]?.Body).toBe('m');
    await send('other', 'n');
    // Both have much of the time by now, and the others more in flight.
    expect((await receive())[0]?.Body).toBe('n');
    expect(await queue.bodies()).toEqual(['d']);
  });

  test('forgets how long a group took once none of its messages waits', async () => {
    const queue = await OwnQueue.create(sqs);
    await queue.send('slow', { MessageGroupId: 'noisy' });
    const [slow] = await queue.receive();
    await world.clock.wait(15_000);
    await remove(queue, slow);
    expect(await queue.receive()).toEqual([]);
    await queue.send('next', { MessageGroupId: 'noisy' });
    await queue.send('x', { MessageGroupId: 'quiet' });
    expect(await queue.bodies()).toEqual(['next', 'x']);
  });
});

const remove = (queue: OwnQueue, message: Message | undefined) =>
  queue.client.send(new DeleteMessageCommand({ QueueUrl: queue.url, ReceiptHandle: message?.ReceiptHandle }));
