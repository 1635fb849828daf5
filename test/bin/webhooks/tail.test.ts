import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Delivery, Tail } from '../../../bin/webhooks/listen.ts';
import { aDelivery, listPage } from './api.ts';

/** A delivery log in memory: newest first, two on each page. */
function openLog(...ids: string[]) {
  const deliveries: Delivery[] = ids.map((id) => aDelivery(id));
  const looks: (string | null)[] = [];
  return {
    deliveries,
    looks,
    page: async (cursor: string | null) => {
      looks.push(cursor);
      return listPage(deliveries, cursor === null ? '' : `?cursor=${cursor}`).body as {
        data: Delivery[];
        cursor: string | null;
      };
    },
  };
}

const told = async (tail: Tail) =>
  (await tail.look()).map(({ delivery, isNew }) => `${delivery.id} ${isNew ? 'new' : 'on'}`);

test('existing deliveries are not reported, new ones are, oldest first and once', async () => {
  const log = openLog('b', 'a');
  const tail = new Tail(log);
  await tail.begin();
  expect(await told(tail)).toEqual([]);
  log.deliveries.unshift(aDelivery('d'), aDelivery('c'));
  expect(await told(tail)).toEqual(['c new', 'd new']);
  expect(await told(tail)).toEqual([]);
});

test('a changed delivery is reported again', async () => {
  const log = openLog('a');
  const tail = new Tail(log);
  await tail.begin();
  log.deliveries[0] = aDelivery('a', { attempts: 1, history: [{ outcome: '5xx' }] });
  expect(await told(tail)).toEqual(['a on']);
  log.deliveries[0] = aDelivery('a', { attempts: 1, history: [{ outcome: '5xx' }], status: 'failed' });
  expect(await told(tail)).toEqual(['a on']);
  expect(await told(tail)).toEqual([]);
});

test('reads back only to known deliveries', async () => {
  const log = openLog('f', 'e', 'd', 'c', 'b', 'a');
  const tail = new Tail(log);
  await tail.begin();
  await tail.look();
  expect(log.looks).toEqual([null, null]);
});

test('all deliveries between two looks are reported once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(7)), async (arrivals) => {
      const log = openLog('0');
      const tail = new Tail(log);
      await tail.begin();
      let last = 0;
      const expected: string[] = [];
      const seen: string[] = [];
      for (const count of arrivals) {
        for (let i = 0; i < count; i++) {
          last += 1;
          expected.push(`${last} new`);
          log.deliveries.unshift(aDelivery(String(last)));
        }
        seen.push(...(await told(tail)));
      }
      expect(seen).toEqual(expected);
    }),
  );
});
