import { beforeAll, describe, expect, test } from '@jest/globals';
import { BucketStore } from '../../functions/gate/bucket-store.ts';
import { createTable } from '../engines/conformance/index.ts';
import { dynamo } from '../tested-clients.ts';

const rate = { perMinute: 100 };
const NOW = new Date('2030-01-01T00:00:00Z');
const later = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);

/** Several stores on one table, like several processes: each knows only its own reads. */
let table: string;
beforeAll(async () => {
  table = await createTable(dynamo, 'id');
});
const instances = (count: number) => Array.from({ length: count }, () => new BucketStore(dynamo, table));

describe('buckets', () => {
  test('are exact over several processes: of 1,000 calls at once, 100 pass', async () => {
    const id = crypto.randomUUID();
    const stores = instances(4);
    const takings = await Promise.all(
      Array.from({ length: 1_000 }, async (_, call) =>
        stores[call % 4]?.take(id, rate, NOW).catch(() => undefined),
      ),
    );
    expect(takings.filter((taking) => taking?.taken)).toHaveLength(100);
  });

  test('give a token exactly at the announced time', async () => {
    const id = crypto.randomUUID();
    const [store, other] = instances(2) as [BucketStore, BucketStore];
    for (let call = 0; call < 100; call++) await store.take(id, rate, NOW);
    const refused = await other.take(id, rate, NOW);
    expect(refused).toMatchObject({ taken: false });
    expect(await other.take(id, rate, later(599))).toMatchObject({ taken: false });
    expect(await other.take(id, rate, later(600))).toMatchObject({ taken: true, tokensLeft: 0 });
    expect(await store.take(id, rate, later(600))).toMatchObject({ taken: false });
    expect(await store.take(id, rate, later(60_600))).toMatchObject({ taken: true, tokensLeft: 99 });
  });

  test.each([1, 100])(
    'of %i a minute that a clock one hour ahead has used up lock nobody out',
    async (perMinute) => {
      const id = crypto.randomUUID();
      const [wrong, right] = instances(2) as [BucketStore, BucketStore];
      const taking = { perMinute };
      for (let call = 0; call < perMinute; call++) await wrong.take(id, taking, later(3_600_000));
      const first = await right.take(id, taking, NOW);
      expect(first).toMatchObject({ taken: true, tokensLeft: perMinute - 1 });
      // After its clock was corrected, the instance no longer trusts its own memory of the bucket.
      expect(await wrong.take(id, taking, NOW)).toMatchObject({ taken: perMinute > 1 });
    },
  );

  test('that a clock a minute ahead has used up are used up', async () => {
    const id = crypto.randomUUID();
    const [ahead, right] = instances(2) as [BucketStore, BucketStore];
    for (let call = 0; call < 100; call++) await ahead.take(id, rate, later(60_000));
    expect(await right.take(id, rate, NOW)).toMatchObject({ taken: false });
  });
});
