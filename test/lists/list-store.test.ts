import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { placeOf } from '../../functions/lists/blocks.ts';
import type { Listed } from '../../functions/lists/listed.ts';
import { AwsWorld } from '../engines/aws-world.ts';
import { waitBy } from '../engines/virtual-waits.ts';

const first = new AwsWorld();
waitBy(first);
const { ListStore } = await import('../../functions/lists/list-store.ts');
const { TransactionRefused } = await import('../../functions/aws/conditions.ts');
const { createTable } = await import('../contract/create-table.ts');
const { readList } = await import('../../functions/lists/listed.ts');

interface Thing {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
}

/** A table of things, with a list of them. */
async function start(seed: number) {
  const world = new AwsWorld({ seed, transactionMilliseconds: 10 });
  waitBy(world);
  const { dynamo } = world.startProcess();
  const [things = '', lists = ''] = await Promise.all([
    createTable(dynamo, 'id'),
    createTable(dynamo, 'list'),
  ]);
  let ids = 0;
  const storeOf = (client: typeof dynamo) => new ListStore(client, lists, () => `b${ids++}`);
  const store = storeOf(dynamo);
  const rows = new Map<string, Thing>();
  const listed: Listed<Thing> = {
    list: 'things',
    async *all() {
      yield* rows.values();
    },
    read: async (wanted) => wanted.flatMap((id) => rows.get(id) ?? []),
    idOf: ({ id }) => id,
    entryOf: ({ id, at, kind }) => ({ place: placeOf(at, id), kind }),
  };
  const change = async (thing: Thing, kind: string | undefined) => {
    const item =
      kind === undefined
        ? { Delete: { TableName: things, Key: { id: thing.id } } }
        : { Put: { TableName: things, Item: { ...thing, kind } } };
    await store.write({ thing: item }, [{ listed, place: placeOf(thing.at, thing.id), kind }]);
    if (kind === undefined) rows.delete(thing.id);
    else rows.set(thing.id, { ...thing, kind });
  };
  const add = (number: number, kind = 'on') => change(aThing(number), kind);
  const names = async (offset = 0, limit = 100, kinds?: string[]) => {
    const { rows: found, total } = await readList(store, listed, { offset, limit, kinds });
    return { ids: found.map(({ id }) => id), total };
  };
  return { world, dynamo, storeOf, store, listed, rows, things, change, add, names };
}

const aThing = (number: number): Thing => ({
  id: `t${number}`,
  at: new Date(Date.UTC(2030) + number * 1_000).toISOString(),
  kind: 'on',
});

let it: Awaited<ReturnType<typeof start>>;
beforeEach(async () => {
  it = await start(1);
});

const idsOf = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `t${from + i}`);
const calls = () => it.world.journal.calls.map(({ operation }) => operation);

test('a change that seems to be done already is repeated if another one undoes it meanwhile', async () => {
  await it.add(1);
  await it.add(2, 'off');
  const { change, things, listed } = it;
  // When the first writer reads the entries, another writer has made the same change. Before the first one writes, that
  // change is undone.
  const meanwhile = ['on', 'off'];
  let reads = 0;
  const slow = it.world.startProcess().dynamo;
  slow.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        reads += commandName.startsWith('BatchGet') ? 1 : 0;
        const kind = reads === 2 || commandName.startsWith('TransactWrite') ? meanwhile.shift() : undefined;
        if (kind !== undefined) await change(aThing(2), kind);
        return next(args);
      },
    { step: 'initialize' },
  );
  const item = { Put: { TableName: things, Item: { ...aThing(2), by: 'the slow one' } } };
  const place = placeOf(aThing(2).at, 't2');
  await it.storeOf(slow).write({ thing: item }, [{ listed, place, kind: 'on' }]);
  expect(meanwhile).toEqual([]);
  expect((await it.names(0, 100, ['on'])).total).toBe(2);
});

describe('a list', () => {
  test('without rows is answered from the index', async () => {
    it.rows.set('t2', aThing(2));
    expect(await it.names()).toEqual({ ids: ['t2'], total: 1 });
    expect(await it.names(1)).toEqual({ ids: [], total: 1 });
    expect(await it.names(0, 100, ['off'])).toEqual({ ids: [], total: 0 });
  });

  test('begins with the existing rows', async () => {
    for (let i = 0; i < 250; i++) it.rows.set(`t${i}`, aThing(i));
    await it.add(250);
    expect(await it.names(200)).toEqual({ ids: idsOf(200, 251), total: 251 });
    it.rows.clear();
    // The list still knows all 251, but it finds a row only by its id.
    expect(await it.names(200)).toEqual({ ids: [], total: 251 });
  });

  test('is begun only once by many changes at once, and lists all', async () => {
    for (let i = 0; i < 120; i++) it.rows.set(`t${i}`, aThing(i));
    await Promise.all([120, 121, 122, 123].map((number) => it.add(number)));
    expect(await it.names(60)).toEqual({ ids: idsOf(60, 124), total: 124 });
  });

  test('does not change if a condition of its transaction fails', async () => {
    await it.add(1);
    const Put = {
      TableName: it.things,
      Item: aThing(2),
      ConditionExpression: 'attribute_exists(id)',
    };
    const { place } = it.listed.entryOf(aThing(2));
    const write = it.store.write({ thing: { Put } }, [{ listed: it.listed, place, kind: 'on' }]);
    await expect(write).rejects.toThrow(TransactionRefused);
    expect((await it.names()).total).toBe(1);
  });

  test('changes by two reads and one transaction', async () => {
    await it.add(1);
    const before = calls().length;
    await it.add(2);
    expect(calls().slice(before)).toEqual(['BatchGetItem', 'BatchGetItem', 'TransactWriteItems']);
  });

  test('without a change is not written', async () => {
    await it.add(1);
    await it.change(aThing(1), 'off');
    const before = await it.store.page('things', { offset: 0, limit: 1 });
    it.world.journal.calls.length = 0;
    await it.change(aThing(1), 'off');
    await it.change(aThing(7), undefined);
    expect(await it.store.page('things', { offset: 0, limit: 1 })).toEqual(before);
  });
});

test('fifty changes at once all succeed', async () => {
  await Promise.all(Array.from({ length: 50 }, (_, number) => it.add(number)));
  expect(await it.names()).toEqual({ ids: idsOf(0, 50), total: 50 });
});

test('a page that is read during splits and merges misses no entry', async () => {
  for (let i = 0; i < 250; i++) it.rows.set(`t${i}`, aThing(i));
  await it.add(250);
  const writes = (async () => {
    for (let i = 101; i < 180; i++) await it.change(aThing(i), undefined);
    for (let i = 300; i < 330; i++) await it.add(i);
  })();
  for (let i = 0; i < 60; i++) {
    const { ids } = await it.names(0, 100);
    expect(ids).toEqual(idsOf(0, 100));
  }
  await writes;
});

test('a list matches its rows after any simultaneous changes', async () => {
  const change = fc.record({ number: fc.nat(400), kind: fc.constantFrom('on', 'on', 'off', undefined) });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 1_000 }),
      fc.integer({ min: 0, max: 300 }),
      fc.array(fc.uniqueArray(change, { selector: ({ number }) => number, maxLength: 12 }), { maxLength: 5 }),
      async (seed, before, rounds) => {
        it = await start(seed);
        for (let i = 0; i < before; i++) it.rows.set(`t${i}`, aThing(i));
        for (const round of rounds) {
          await Promise.all(round.map(({ number, kind }) => it.change(aThing(number), kind)));
        }
        const all = [...it.rows.values()].toSorted((one, other) => (one.at < other.at ? -1 : 1));
        for (const kinds of [undefined, ['on'], ['off']]) {
          const ids = all.filter(({ kind }) => kinds?.includes(kind) ?? true).map(({ id }) => id);
          for (const offset of [0, 1, 99, 100, 250]) {
            const page = { ids: ids.slice(offset, offset + 100), total: ids.length };
            expect(await it.names(offset, 100, kinds)).toEqual(page);
          }
        }
      },
    ),
    { numRuns: 20 },
  );
});
