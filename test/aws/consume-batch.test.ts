import { describe, expect, test } from '@jest/globals';
import type { Context, SQSRecord } from 'aws-lambda';
import * as v from 'valibot';
import { batchHandler } from '../../functions/aws/consumers.ts';

const NOW = new Date('2030-01-01T00:00:00Z');
const HOUR = 3_600_000;
const TOLERANCE = 600_000;

/** A record as SQS hands it out. @param ago milliseconds since it was sent @param receives how often it was received */
const aRecord = (messageId: string, ago: number, receives = 1): SQSRecord => ({
  messageId,
  receiptHandle: messageId,
  body: JSON.stringify({ id: messageId }),
  attributes: {
    ApproximateReceiveCount: String(receives),
    ApproximateFirstReceiveTimestamp: String(NOW.getTime() - ago),
    SentTimestamp: String(NOW.getTime() - ago),
    SenderId: 'nobody',
  },
  messageAttributes: {},
  md5OfBody: '',
  eventSource: 'aws:sqs',
  eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:q',
  awsRegion: 'us-east-1',
});

/** Returns which messages were handled, and which go back to the queue. */
async function consume(...Records: SQSRecord[]) {
  const handled: string[] = [];
  const failing = new Set(['failing']);
  const errors: unknown[] = [];
  const note = (_: string, { error }: { error?: unknown } = {}) => void errors.push(error);
  const log = { info: note, warn: note, error: note };
  const handler = batchHandler(v.object({ id: v.string() }), { log, now: () => NOW }, async ({ id }) => {
    handled.push(id);
    if (failing.has(id)) throw new Error('not this one');
  });
  const { batchItemFailures } = await handler({ Records }, {} as Context);
  return { handled, back: batchItemFailures.map(({ itemIdentifier }) => itemIdentifier), errors };
}

describe('a message', () => {
  test.each([
    ['just received', 0, 1],
    ['that Lambda has held for as long as it may', TOLERANCE, 1],
    ['from a queue whose clock is a little ahead', -TOLERANCE, 1],
    ['that was already received a moment ago', TOLERANCE, 2],
  ])('%s is handled', async (_, ago, receives) => {
    expect(await consume(aRecord('a', ago, receives))).toEqual({ handled: ['a'], back: [], errors: [] });
  });

  test.each([
    ['an hour ahead of the queue', HOUR, 1],
    ['a moment too far ahead', TOLERANCE + 1, 1],
    ['an hour behind the queue', -HOUR, 1],
    ['behind the queue, though it was received before', -TOLERANCE - 1, 3],
    ['not yet compared with the queue’s, and the message is old', TOLERANCE + 1, 2],
  ])('is not handled if the clock is %s', async (_, ago, receives) => {
    const { handled, back, errors } = await consume(aRecord('a', ago, receives));
    expect([handled, back]).toEqual([[], ['a']]);
    expect(errors).toEqual([expect.objectContaining({ name: 'WrongClock' })]);
  });

  test('that was already received hours ago is handled if the clock was right', async () => {
    const { handled, back } = await consume(aRecord('new', 0), aRecord('old', 5 * HOUR, 2));
    expect([handled, back]).toEqual([['new', 'old'], []]);
  });

  test('that was already received is not handled if the clock was wrong', async () => {
    const records = [aRecord('new', HOUR), aRecord('old', HOUR, 2), aRecord('near', 0, 2)];
    expect(await consume(...records)).toMatchObject({ handled: [], back: ['new', 'old', 'near'] });
  });

  test.each([2, 6])('that arrives %i times in one batch is handled once', async (copies) => {
    const records = Array.from({ length: copies }, (_, i) => ({ ...aRecord('a', 0), messageId: `a-${i}` }));
    expect(await consume(...records, aRecord('b', 0))).toEqual({ handled: ['a', 'b'], back: [], errors: [] });
  });

  test('whose handling fails returns to the queue with all its copies', async () => {
    const copies = ['f-1', 'f-2'].map((messageId) => ({ ...aRecord('failing', 0), messageId }));
    expect(await consume(...copies, aRecord('b', 0))).toMatchObject({
      handled: ['failing', 'b'],
      back: ['f-1', 'f-2'],
    });
  });

  test('that fails returns to the queue alone', async () => {
    const bad = { ...aRecord('b', 0), body: 'no message of ours' };
    expect(await consume(aRecord('a', 0), bad, aRecord('c', 0))).toMatchObject({
      handled: ['a', 'c'],
      back: ['b'],
    });
  });
});
