import { expect, test } from '@jest/globals';
import { findNamingKey } from '../../functions/keys/find-key.ts';
import { placeIn } from '../../functions/keys/key-store.ts';
import { storedKey } from './stored-key.ts';

const MINE = '11111111-1111-4111-8111-111111111111';

/** As many keys of a workspace, of which those with these numbers name the guardrail. */
async function find(count: number, ...naming: number[]) {
  const keys = Array.from({ length: count }, (_, i) =>
    storedKey({
      name: `${i}`,
      disabled: i % 2 === 1,
      created_at: new Date(Date.UTC(2030) + i).toISOString(),
      guardrail_id: naming.includes(i) ? MINE : null,
    }),
  ).toSorted((a, b) => (placeIn(a) < placeIn(b) ? -1 : 1));
  const offsets: number[] = [];
  const found = await findNamingKey(MINE, 'ws-1', {
    keys: {
      list: async function* () {
        yield* keys;
      },
      read: async (hashes) => keys.filter(({ hash }) => hashes.includes(hash)),
    },
    lists: {
      page: async (list, { offset, limit }) => {
        expect(list).toBe('keys/ws-1');
        offsets.push(offset);
        return { ids: keys.slice(offset, offset + limit).map(({ hash }) => hash), total: count };
      },
    },
  });
  return { name: found?.name, offsets };
}

test.each<[number, number[], string | undefined, number[]]>([
  [0, [], undefined, [0]],
  [100, [], undefined, [0]],
  [100, [99], '99', [0]],
  [101, [0], '0', [0, 100, 0]],
  [101, [100], '100', [0, 100]],
  [200, [150], '150', [0, 100]],
  [201, [0, 200], '200', [0, 200]],
  [300, [], undefined, [0, 200, 100, 0]],
])(
  'of %i keys, %j name the guardrail: the newest pages are read first',
  async (count, naming, name, offsets) => {
    expect(await find(count, ...naming)).toEqual({ name, offsets });
  },
);
