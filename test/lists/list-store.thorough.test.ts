import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aThing, idsOf, startList } from './thing-list.ts';

test('fifty changes at once all succeed', async () => {
  const it = await startList(1);
  await Promise.all(Array.from({ length: 50 }, (_, number) => it.add(number)));
  expect(await it.names()).toEqual({ ids: idsOf(0, 50), total: 50 });
});

test('a page that is read during splits and merges misses no entry', async () => {
  const it = await startList(1);
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
        const it = await startList(seed);
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
