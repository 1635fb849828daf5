import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { refusal } from '../refusal.ts';
import { OwnQueue } from './own-queue.ts';

export function describeBatches(connect: () => SQSClient): void {
  describe('a batch of messages', () => {
    let queue: OwnQueue;
    beforeAll(async () => {
      queue = await OwnQueue.create(connect(), { MaximumMessageSize: '1024' });
    });
    const send = (Entries: SendMessageBatchRequestEntry[]) =>
      queue.client.send(new SendMessageBatchCommand({ QueueUrl: queue.url, Entries }));
    const entries = (count: number, MessageBody = 'x') =>
      Array.from({ length: count }, (_, i) => ({ Id: String(i), MessageBody }));

    test('is sent, released and deleted', async () => {
      const { Successful = [], Failed = [] } = await send(entries(10));
      expect(Successful.map(({ Id }) => Id)).toEqual(entries(10).map(({ Id }) => Id));
      expect(Failed).toEqual([]);
      const handles = async () =>
        (await queue.receive()).map(({ ReceiptHandle }, i) => ({ Id: String(i), ReceiptHandle }));
      const letGo = (await handles()).map((entry) => ({ ...entry, VisibilityTimeout: 0 }));
      await queue.client.send(
        new ChangeMessageVisibilityBatchCommand({ QueueUrl: queue.url, Entries: letGo }),
      );
      const again = await handles();
      expect(again).toHaveLength(10);
      const deleted = await queue.client.send(
        new DeleteMessageBatchCommand({ QueueUrl: queue.url, Entries: again }),
      );
      expect(deleted.Successful).toHaveLength(10);
    });

    test('sends what it can, and reports the rest', async () => {
      const { Successful = [], Failed = [] } = await send([
        { Id: 'good', MessageBody: 'x' },
        { Id: 'bad', MessageBody: 'x'.repeat(1025) },
      ]);
      expect(Successful.map(({ Id }) => Id)).toEqual(['good']);
      expect(Failed).toEqual([expect.objectContaining({ Id: 'bad', Code: 'InvalidParameterValue' })]);
    });

    test('has one to ten entries with different ids', async () => {
      const names = async (each: SendMessageBatchRequestEntry[]) =>
        (await refusal(send(each))).constructor.name;
      expect(await names([])).toBe('EmptyBatchRequest');
      expect(await names(entries(11))).toBe('TooManyEntriesInBatchRequest');
      expect(await names([...entries(1), ...entries(1)])).toBe('BatchEntryIdsNotDistinct');
    });
  });
}
