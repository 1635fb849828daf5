import { describe, expect, test } from '@jest/globals';
import type { Context, SQSRecord } from 'aws-lambda';
import { batchHandler } from '../../../functions/aws/consumers.ts';
import { jobMessageSchema } from '../../../functions/videos/jobs/job-queue.ts';
import type { ProviderState } from '../../../functions/videos/providers/provider.ts';
import { type Delayed, JobWorld, succeeded } from './job-world.ts';

const throttled = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
const running: ProviderState = { state: 'running' };
const polls = (count: number) => ({
  poll: async (attempt: number) => (attempt <= count ? running : succeeded()),
});

describe('a job that a provider has accepted', () => {
  test.each([
    ['apply', 2],
    ['send', 1],
  ])('is not lost if AWS refuses the %s after it for a while', async (name, first) => {
    const world = new JobWorld({ ...polls(2), resubmit: 'none' });
    world.refuse = (each, call) =>
      each === name && call >= first && call < first + 5 ? throttled : undefined;
    await world.run();
    expect(world.job.status).toBe('completed');
    expect(world.submits).toHaveLength(1);
  });

  test('is recorded before its message is sent', async () => {
    const world = new JobWorld(polls(1));
    await world.run();
    expect(world.calls.slice(4, 7)).toEqual(['submit', 'apply', 'send']);
  });
});

const recordOf = ({ message }: Delayed, messageId: string, now: number): SQSRecord => ({
  messageId,
  receiptHandle: messageId,
  body: JSON.stringify(message),
  attributes: {
    ApproximateReceiveCount: '1',
    ApproximateFirstReceiveTimestamp: String(now),
    SentTimestamp: String(now),
    SenderId: 'nobody',
  },
  messageAttributes: {},
  md5OfBody: '',
  eventSource: 'aws:sqs',
  eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:q',
  awsRegion: 'us-east-1',
});

/** The number of polls if every message comes once. */
async function duePolls(): Promise<number> {
  const world = new JobWorld(polls(40));
  await world.run(1_000);
  return world.calls.filter((call) => call === 'poll').length;
}

/** Delivers messages that are due at the same time to separate functions, none of which sees the others' writes. */
async function runSideBySide(world: JobWorld): Promise<void> {
  while (world.messages.length > 0) {
    const dueAt = Math.min(...world.messages.map((message) => message.dueAt));
    const due = world.messages.filter((message) => message.dueAt === dueAt);
    await Promise.all(due.map((message) => world.deliver(message)));
  }
}

describe('copies of a message', () => {
  test.each([2, 3, 6])('%i in one batch cause no poll that is not due', async (copies) => {
    const world = new JobWorld(polls(40));
    await world.deliver(world.messages[0]!);
    const [received] = world.messages;
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const ports = { log, now: () => new Date(world.now) };
    const handle = batchHandler(jobMessageSchema, ports, () => world.deliver(received!));
    const Records = Array.from({ length: copies }, (_, i) => recordOf(received!, `copy-${i}`, world.now));
    await handle({ Records }, {} as Context);
    await world.run(1_000);
    const asked = world.calls.filter((call) => call === 'poll').length;
    expect(asked).toBeLessThanOrEqual((await duePolls()) * 1.05);
    expect(world.job.status).toBe('completed');
  });

  test.each([2, 3, 6])(
    '%i at once, in as many functions, disappear, and cause at most one poll each',
    async (copies) => {
      const world = new JobWorld(polls(40));
      await world.deliver(world.messages[0]!);
      const [message] = world.messages;
      await Promise.all(Array.from({ length: copies }, () => world.deliver(message!)));
      await runSideBySide(world);
      const asked = world.calls.filter((call) => call === 'poll').length;
      expect(asked).toBeLessThanOrEqual(41 + copies - 1);
      expect(world.job.status).toBe('completed');
    },
  );

  test('that copy the result write to separate keys, and the first to end determines the key', async () => {
    const world = new JobWorld({});
    for (let step = 0; step < 2; step++) await world.deliver(world.messages[0]!);
    const [message] = world.messages;
    world.script.judge = async (attempt) => {
      if (attempt > 1) return;
      // The first call is so slow that its lease ends.
      world.now = world.job.leased_until!;
      await world.deliver(message!);
    };
    await world.deliver(message!);
    expect(new Set(world.saved).size).toBe(2);
    expect(world.saved[1]).toBe(world.job.outputs?.[0]?.key);
    expect(world.settlements).toBe(1);
  });
});

test('an event that cannot be sent does not undo the job’s end', async () => {
  const world = new JobWorld({});
  world.refuse = (name) => (name === 'send event' ? throttled : undefined);
  await world.run();
  expect([world.job.status, world.events.size]).toEqual(['completed', 1]);
});
