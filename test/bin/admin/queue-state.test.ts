import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { isQueue, redrive, stateOf } from '../../../bin/admin/workers.ts';
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

  test.each([
    [`${ARN}jobs`, true],
    ['arn:aws:dynamodb:us-east-1:000000000000:table/events/stream/1', false],
    [undefined, false],
  ])('is recognised by its ARN: %s', (arn, is) => {
    expect(isQueue(arn)).toBe(is);
  });
});
