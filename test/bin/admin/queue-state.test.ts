import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { letterLine } from '../../../bin/admin/incident.ts';
import { deadLetterQueue, isQueue, redrive, stateOf, workerLine } from '../../../bin/admin/workers.ts';
import { OwnQueue } from '../../engines/conformance/index.ts';
import { AwsWorld } from '../../engines/index.ts';

const ARN = 'arn:aws:sqs:us-east-1:000000000000:';

let sqs: SQSClient;
let queue: OwnQueue;
beforeEach(() => {
  const world = new AwsWorld();
  sqs = world.startProcess().sqs;
  world.sqs.createQueue('dead');
  const policy = { deadLetterTargetArn: `${ARN}dead`, maxReceiveCount: 1 };
  const RedrivePolicy = JSON.stringify(policy);
  queue = new OwnQueue(sqs, world.sqs.createQueue('jobs', { VisibilityTimeout: '0', RedrivePolicy }));
});

async function bury(...bodies: string[]): Promise<void> {
  for (const body of bodies) await queue.send(body);
  await queue.receive();
  expect(await queue.receive()).toEqual([]);
}

describe('a queue', () => {
  test('is described by where its messages are', async () => {
    await bury('dead 1', 'dead 2');
    await queue.send('in flight');
    await queue.receive({ VisibilityTimeout: 60 });
    for (const body of ['a', 'b']) await queue.send(body);
    await queue.send('later', { DelaySeconds: 60 });
    expect(await stateOf(`${ARN}jobs`, sqs)).toEqual({ waiting: 2, delayed: 1, inFlight: 1, deadLetters: 2 });
  });

  test('is described in one line with its worker', async () => {
    await bury('dead');
    const worker = {
      name: 'poll-videos',
      isRunning: true,
      source: `${ARN}jobs`,
      turn: async () => undefined,
    };
    expect(await workerLine(worker, sqs)).toMatch(/0 waiting, 0 delayed, 0 in flight, 1 dead letter$/);
  });

  test('without a dead-letter queue has no dead letters to redrive', async () => {
    await sqs.send(new SendMessageCommand({ QueueUrl: queue.url.replace('jobs', 'dead'), MessageBody: 'x' }));
    expect(await stateOf(`${ARN}dead`, sqs)).toHaveProperty('deadLetters', 0);
    expect(await redrive(`${ARN}dead`, sqs)).toBe(0);
  });

  test('gets all its dead letters back', async () => {
    await bury('dead 1', 'dead 2');
    expect(await redrive(`${ARN}jobs`, sqs)).toBe(2);
    expect((await queue.bodies({ VisibilityTimeout: 60 })).toSorted()).toEqual(['dead 1', 'dead 2']);
    expect(await redrive(`${ARN}jobs`, sqs)).toBe(0);
  });

  test('without a dead-letter queue has no dead letters to show', async () => {
    expect(await deadLetterQueue(`${ARN}dead`, sqs)).toBeUndefined();
  });

  test.each([
    ['{"v":1,"job_id":"vid_7","seq":3}', 'vid_7'],
    ['{"v":1,"event_id":"msg_7"}', 'msg_7'],
    ['{"v":1}', 'not a message from Genway'],
    ['rubbish', 'not a message from Genway'],
  ])('shows what a dead letter is about: %s', (Body, subject) => {
    const sent = { MessageId: 'id-1', Attributes: { SentTimestamp: '1767225600000' } };
    expect(letterLine({ ...sent, Body })).toBe(`id-1  2026-01-01T00:00:00.000Z  ${subject}`);
  });

  test.each([
    [`${ARN}jobs`, true],
    ['arn:aws:dynamodb:us-east-1:000000000000:table/events/stream/1', false],
    [undefined, false],
  ])('is recognised by its ARN: %s', (arn, is) => {
    expect(isQueue(arn)).toBe(is);
  });
});
