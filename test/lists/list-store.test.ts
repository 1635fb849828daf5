import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { placeOf } from '../../functions/lists/blocks.ts';
import { aThing, idsOf, startList } from './thing-list.ts';

const { TransactionRefused } = await import('../../functions/aws/dynamo-writes.ts');

let it: Awaited<ReturnType<typeof startList>>;
beforeEach(async () => {
  it = await startList(1);
});

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

  test('keeps all of many changes at once', async () => {
    await it.add(1);
    await Promise.all([2, 3, 4, 5].map((number) => it.add(number)));
    expect(await it.names()).toEqual({ ids: idsOf(1, 6), total: 5 });
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

describe('a list that changes between the reads of its root and of its leaves', () => {
  /** Runs `meanwhile` before the client's second batch of reads. */
  function slowClient(meanwhile: () => Promise<void>) {
    const slow = it.world.startProcess().dynamo;
    let reads = 0;
    slow.middlewareStack.add(
      (next, { commandName = '' }) =>
        async (args) => {
          if (commandName.startsWith('BatchGet') && ++reads === 2) await meanwhile();
          return next(args);
        },
      { step: 'initialize' },
    );
    return it.storeOf(slow);
  }

  test('is read again for a page', async () => {
    await it.add(1);
    await it.add(2);
    const store = slowClient(() => it.change(aThing(1), undefined));
    expect(await store.page('things', { offset: 0, limit: 100 })).toEqual({ ids: ['t2'], total: 1 });
  });

  test('is not whole', async () => {
    await it.add(1);
    const { Items = [] } = await it.dynamo.send(new ScanCommand({ TableName: it.lists }));
    const [root = {}] = Items.filter(({ list }) => list === 'things');
    expect(await it.store.whole(root)).toMatchObject({ version: 1 });
    await it.add(2);
    expect(await it.store.whole(root)).toBeUndefined();
  });
});
