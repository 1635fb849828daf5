import { placeOf } from '../../functions/lists/blocks.ts';
import type { Listed } from '../../functions/lists/list-store.ts';
import { waitBy } from '../aws/virtual-waits.ts';
import { AwsWorld } from '../engines/index.ts';

const first = new AwsWorld();
waitBy(first);
const { ListStore } = await import('../../functions/lists/list-store.ts');
const { createTable } = await import('../engines/conformance/index.ts');
const { readList } = await import('../../functions/lists/list-store.ts');

export interface Thing {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
}

/** A table of things, with a list of them. */
export async function startList(seed: number) {
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
  return { world, dynamo, storeOf, store, listed, rows, things, lists, change, add, names };
}

export const aThing = (number: number): Thing => ({
  id: `t${number}`,
  at: new Date(Date.UTC(2030) + number * 1_000).toISOString(),
  kind: 'on',
});

/** What things are called, from the first number to the one before the other. */
export const idsOf = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `t${from + i}`);
