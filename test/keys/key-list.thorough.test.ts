import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type KeyFilter, KeyStore } from '../../functions/keys/key-store.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { AwsWorld, countReads } from '../engines/index.ts';
import { storedKey } from './stored-key.ts';

const START = Date.parse('2030-01-01T00:00:00Z');
/** A thousand keys in each workspace. The small workspace has four, and every second one is disabled. */
const workspaceOf = (number: number) => (number < 4 ? 'ws-small' : `ws-${Math.floor(number / 1_000)}`);
const nameOf = (number: number) => `key ${number}`;

/** Keys in their own stage, created one second apart. */
class Keys {
  readonly #world = new AwsWorld();
  readonly #table = new DeployedStage(this.#world).name('Keys');

  async add(count: number): Promise<this> {
    const { dynamo } = this.#world.startProcess();
    const store = new KeyStore(dynamo, this.#table);
    const rows = Array.from({ length: count }, (_, i) => {
      const created_at = new Date(START + i * 1000).toISOString();
      const fields = {
        name: nameOf(i),
        workspace_id: workspaceOf(i),
        disabled: i < 4 && i % 2 === 1,
        created_at,
      };
      return { PutRequest: { Item: store.insertion(storedKey(fields)).Put?.Item } };
    });
    for (let i = 0; i < rows.length; i += 25) {
      await dynamo.send(new BatchWriteCommand({ RequestItems: { [this.#table]: rows.slice(i, i + 25) } }));
    }
    return this;
  }

  async first(count: number, filter: KeyFilter = {}) {
    const { dynamo } = this.#world.startProcess();
    const reads = countReads(dynamo);
    const names: string[] = [];
    for await (const { name } of new KeyStore(dynamo, this.#table).list(filter, count)) {
      if (names.push(name) === count) break;
    }
    return { names, reads };
  }
}

describe('a list of keys', () => {
  let few: Keys;
  let many: Keys;
  beforeAll(async () => {
    few = await new Keys().add(60);
    many = await new Keys().add(6_000);
  });

  test.each<[string, KeyFilter]>([
    ['all', {}],
    ['those of a workspace', { workspaceId: 'ws-small' }],
    ['those of a workspace that has many', { workspaceId: 'ws-0', enabled: true }],
    ['those of no workspace', { workspaceId: 'ws-none' }],
  ])('costs in proportion to the shown rows: %s', async (_, filter) => {
    const [small, large] = [await few.first(100, filter), await many.first(100, filter)];
    expect(large.reads.rows).toBeLessThanOrEqual(2 * small.reads.rows);
    expect(large.reads.calls).toBeLessThanOrEqual(2 * small.reads.calls);
  });

  test('reads on until a page is full, however many rows it filters out', async () => {
    const { names, reads } = await many.first(100, { enabled: true });
    expect([names.length, reads]).toEqual([100, { calls: 2, rows: 200 }]);
  });

  test('is oldest first, by workspace and with or without those that are disabled', async () => {
    expect((await many.first(100, { workspaceId: 'ws-small' })).names).toEqual([0, 1, 2, 3].map(nameOf));
    expect((await many.first(3, { enabled: true })).names).toEqual([0, 2, 4].map(nameOf));
    expect((await many.first(100, { workspaceId: 'ws-small', enabled: true })).names).toEqual(
      [0, 2].map(nameOf),
    );
    expect((await few.first(1_000)).names).toEqual(Array.from({ length: 60 }, (_, i) => nameOf(i)));
  });
});
