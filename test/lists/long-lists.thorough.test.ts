import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { KeyStore, keyList } from '../../functions/keys/key-store.ts';
import { type Listed, ListStore, type PageAsked, readList } from '../../functions/lists/list-store.ts';
import { ProviderKeyStore, providerKeyList } from '../../functions/provider-keys/provider-key-store.ts';
import { WORKSPACE_LISTING } from '../../functions/tables.ts';
import { defaultWorkspace } from '../../functions/workspaces/workspace.ts';
import { WorkspaceStore, workspaceList } from '../../functions/workspaces/workspace-store.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { AwsWorld, countReads } from '../engines/index.ts';
import { storedKey } from '../keys/stored-key.ts';
import { aProviderKey } from '../provider-keys/a-provider-key.ts';

const WORKSPACE = 'ws-1';
const nameOf = (number: number) => `id-${String(number).padStart(5, '0')}`;
const createdAt = (number: number) => new Date(Date.UTC(2030) + number * 1_000).toISOString();
/** Every sixtieth thing is rare, so rare things are spread over the whole list. */
const isRare = (number: number) => number % 60 === 30;

/** This many things of each kind. An endpoint has added the last one. */
class Stage {
  readonly count: number;
  readonly #world = new AwsWorld();
  readonly #stage = new DeployedStage(this.#world);

  constructor(count: number) {
    this.count = count;
  }

  async fill(): Promise<this> {
    const { dynamo, workspaces, keys, providerKeys, lists } = this.#open();
    const numbers = Array.from({ length: this.count - 1 }, (_, number) => number);
    const put = async (table: string, rowOf: (number: number) => Record<string, unknown> | undefined) => {
      for (let i = 0; i < numbers.length; i += 25) {
        const rows = numbers.slice(i, i + 25).map((number) => ({ PutRequest: { Item: rowOf(number) } }));
        await dynamo.send(new BatchWriteCommand({ RequestItems: { [this.#stage.name(table)]: rows } }));
      }
    };
    const last = this.count - 1;
    await put('Workspaces', (number) => {
      const workspace = { ...this.#workspace(number), version: 0, live_keys: 0 };
      return { pk: `WORKSPACE#${workspace.id}`, listing: WORKSPACE_LISTING, ...workspace };
    });
    await workspaces.create(this.#workspace(last), lists);
    await put('Keys', (number) => keys.insertion(this.#key(number)).Put?.Item);
    const key = { key: keys.insertion(this.#key(last)) };
    const place = keyList(keys).entryOf(this.#key(last));
    await lists.write(key, [
      { listed: keyList(keys), ...place },
      { listed: keyList(keys, WORKSPACE), ...place },
    ]);
    await put('ProviderKeys-Table', (number) => ({ ...this.#providerKey(number) }));
    await providerKeys.create(this.#providerKey(last), lists);
    return this;
  }

  #workspace(number: number) {
    const workspace = defaultWorkspace(new Date(createdAt(number)), 'hash');
    return { ...workspace, id: nameOf(number), slug: nameOf(number) };
  }

  #key(number: number) {
    const [hash, created_at] = [nameOf(number), createdAt(number)];
    return storedKey({ hash, created_at, workspace_id: WORKSPACE, disabled: !isRare(number) });
  }

  #providerKey(number: number) {
    const fields = { workspace_id: WORKSPACE, created_at: createdAt(number) };
    return aProviderKey(nameOf(number), { ...fields, provider: isRare(number) ? 'openai' : 'fal' });
  }

  #open() {
    const { dynamo } = this.#world.startProcess();
    return {
      dynamo,
      workspaces: new WorkspaceStore(dynamo, this.#stage.name('Workspaces')),
      keys: new KeyStore(dynamo, this.#stage.name('Keys')),
      providerKeys: new ProviderKeyStore(dynamo, this.#stage.name('ProviderKeys-Table')),
      lists: new ListStore(dynamo, this.#stage.name('Lists'), crypto.randomUUID.bind(crypto)),
    };
  }

  async page(name: keyof typeof LISTS, asked: PageAsked) {
    const stores = this.#open();
    const listed: Listed<unknown> = LISTS[name](stores);
    const reads = countReads(stores.dynamo);
    const { rows, total } = await readList(stores.lists, listed, asked);
    return { ids: rows.map(listed.idOf), total, reads };
  }
}

interface Stores {
  readonly workspaces: WorkspaceStore;
  readonly keys: KeyStore;
  readonly providerKeys: ProviderKeyStore;
}

const LISTS = {
  workspaces: ({ workspaces }: Stores) => workspaceList(workspaces),
  keys: ({ keys }: Stores) => keyList(keys),
  'keys of a workspace': ({ keys }: Stores) => keyList(keys, WORKSPACE),
  'provider keys': ({ providerKeys }: Stores) => providerKeyList(providerKeys, WORKSPACE),
};

let few: Stage;
let many: Stage;
beforeAll(async () => {
  few = await new Stage(60).fill();
  many = await new Stage(6_000).fill();
});

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

describe.each(Object.keys(LISTS) as (keyof typeof LISTS)[])('the list of %s', (name) => {
  test.each([0, 100, 2_950, 5_999, 6_000])(
    'costs in proportion to the shown rows, from offset %d',
    async (offset) => {
      const { reads: small } = await few.page(name, { offset: 0, limit: 50 });
      const { ids, total, reads } = await many.page(name, { offset, limit: 50 });
      expect(ids).toEqual(
        numbers(6_000)
          .slice(offset, offset + 50)
          .map(nameOf),
      );
      expect(total).toBe(6_000);
      expect(reads.rows).toBeLessThanOrEqual(2 * small.rows);
      expect(reads.calls).toBeLessThanOrEqual(small.calls);
    },
  );
});

describe.each([
  ['keys', 'enabled'],
  ['keys of a workspace', 'enabled'],
  ['provider keys', 'openai'],
] as const)('the entries of one kind in the list of %s', (name, kind) => {
  test.each([0, 50, 99, 100])(
    'cost one read of the list and two each, however rare they are, from offset %d',
    async (offset) => {
      const rare = numbers(6_000).filter(isRare).map(nameOf);
      const { ids, total, reads } = await many.page(name, { offset, limit: 50, kinds: [kind] });
      expect([ids, total]).toEqual([rare.slice(offset, offset + 50), 100]);
      expect(reads.rows).toBeLessThanOrEqual(1 + 2 * ids.length);
      expect(reads.calls).toBeLessThanOrEqual(3);
    },
  );
});
