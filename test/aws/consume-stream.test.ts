import { expect, test } from '@jest/globals';
import type { Context, DynamoDBRecord } from 'aws-lambda';
import * as v from 'valibot';
import { streamedText, streamHandler } from '../../functions/aws/consumers.ts';

const aRecord = (
  id: string,
  NewImage: NonNullable<DynamoDBRecord['dynamodb']>['NewImage'],
): DynamoDBRecord => ({
  eventID: id,
  eventName: 'INSERT',
  eventSource: 'aws:dynamodb',
  dynamodb: { SequenceNumber: id, ...(NewImage === undefined ? {} : { NewImage }) },
});
const named = (id: string) => aRecord(id, { id: { S: id }, other: { N: '1' } });

async function consume(...Records: DynamoDBRecord[]) {
  const handled: string[] = [];
  const unreadable: unknown[] = [];
  const errors: unknown[] = [];
  const note = (_: string, { error }: { error?: unknown } = {}) => void errors.push(error);
  const ports = {
    log: { info: note, warn: note, error: note },
    tellUnreadable: (id: unknown) => void unreadable.push(id),
  };
  const handler = streamHandler(v.object({ id: streamedText }), ports, async ({ id }) => {
    handled.push(id);
    if (id.startsWith('failing')) throw new Error('not this one');
    if (id === 'leading to a broken row') v.parse(v.object({ phase: v.string() }), {});
  });
  const answer = handler({ Records }, {} as Context);
  const back = await answer.then(
    ({ batchItemFailures }) => batchItemFailures.map(({ itemIdentifier }) => itemIdentifier),
    ({ name }: Error) => name,
  );
  return { handled, unreadable, back, failed: errors.length };
}

test('rows are handled one by one, and the stream continues from a failed row', async () => {
  expect(await consume(named('a'), named('failing'), named('b'))).toEqual({
    handled: ['a', 'failing', 'b'],
    unreadable: [],
    back: ['failing'],
    failed: 1,
  });
});

test('a batch that failed as a whole is a failed invocation', async () => {
  expect(await consume(named('failing-1'), named('failing-2'))).toMatchObject({
    back: 'FullBatchFailureError',
    failed: 2,
  });
});

test('a row that refers to an unreadable row is logged and does not block others', async () => {
  expect(await consume(named('leading to a broken row'), named('a'))).toEqual({
    handled: ['leading to a broken row', 'a'],
    unreadable: ['leading to a broken row'],
    back: [],
    failed: 0,
  });
});

test.each([
  ['another shape', aRecord('x', { id: { N: '1' } })],
  ['no image', aRecord('x', undefined)],
])('a row of %s is logged and does not block others', async (_, broken) => {
  expect(await consume(broken, named('a'))).toEqual({
    handled: ['a'],
    unreadable: ['x'],
    back: [],
    failed: 0,
  });
});
