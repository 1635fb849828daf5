import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { SLOTS, SlotStore } from '../../../functions/webhooks/delivery/slot-store.ts';
import { createTable } from '../../contract/create-table.ts';

const NOW = new Date('2030-01-01T00:00:00Z');
const LAPSE = NOW.getTime() + 30_000;

/** On whatever stands for DynamoDB. */
export function describeSlotStore(connect: () => DynamoDBDocumentClient): void {
  let slots: SlotStore;
  beforeAll(async () => {
    slots = new SlotStore(connect(), await createTable(connect(), 'id'));
  });
  const newHost = () => `${crypto.randomUUID()}.example`;
  const take = (host: string, now = NOW, lapsesAt = LAPSE) =>
    slots.take(host, { now, lapsesAt, token: crypto.randomUUID() });
  const takeAll = (host: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => take(host)));

  describe('the slots of a host', () => {
    test('are ten, however many ask at once', async () => {
      const host = newHost();
      const holders = (await takeAll(host, 4 * SLOTS)).filter((holder) => holder !== undefined);
      expect(new Set(holders).size).toBe(10);
      expect(await take(host)).toBeUndefined();
    });

    test('are no other host’s', async () => {
      const [one, other] = [newHost(), newHost()];
      await takeAll(one, SLOTS);
      expect(await take(other)).toBeDefined();
    });

    test('can be taken again as soon as one is free, and no more than that', async () => {
      const host = newHost();
      const [holder = ''] = await takeAll(host, SLOTS);
      await slots.free(host, holder);
      await slots.free(host, holder);
      const taken = (await takeAll(host, 3)).filter((each) => each !== undefined);
      expect(taken).toHaveLength(1);
    });

    test('that crashed workers hold lapse, and not a millisecond early', async () => {
      const host = newHost();
      await takeAll(host, SLOTS);
      expect(await take(host, new Date(LAPSE))).toBeUndefined();
      expect(await take(host, new Date(LAPSE + 1), LAPSE + 60_000)).toBeDefined();
      const rest = await takeAll(host, 2 * SLOTS);
      expect(rest.filter((holder) => holder !== undefined)).toHaveLength(SLOTS - 1);
    });

    test('that lapse together are found by many, and are ten again', async () => {
      const host = newHost();
      await takeAll(host, SLOTS);
      const later = new Date(LAPSE + 1);
      const asking = Array.from({ length: 3 * SLOTS }, () => take(host, later, LAPSE + 60_000));
      expect((await Promise.all(asking)).filter((holder) => holder !== undefined)).toHaveLength(SLOTS);
    });
  });
}
