import { DeleteCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { transact } from '../../functions/aws/dynamo-writes.ts';
import { KeyStore, keyList, listings, type StoredKey } from '../../functions/keys/key-store.ts';
import { ListStore, readList } from '../../functions/lists/list-store.ts';
import { ProviderKeyStore } from '../../functions/provider-keys/provider-key-store.ts';
import { ListAudit } from '../../functions/reconciling/list-audit.ts';
import { defaultWorkspace } from '../../functions/workspaces/workspace.ts';
import { WorkspaceStore } from '../../functions/workspaces/workspace-store.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { AwsWorld } from '../engines/index.ts';
import { storedKey } from '../keys/stored-key.ts';
import { aProviderKey } from '../provider-keys/a-provider-key.ts';

const NOW = new Date('2030-01-01T00:00:00Z');

/** A workspace, a provider key and two API keys, all in their lists. */
async function start(lag: 'late indexes' | 'no lag' = 'no lag') {
  const world = new AwsWorld({ lag: (of) => (lag === 'late indexes' && of === 'indexes' ? 150_000 : 0) });
  const stage = new DeployedStage(world);
  const { dynamo } = world.startProcess();
  const listsTable = stage.name('Lists');
  let ids = 0;
  const lists = new ListStore(dynamo, listsTable, () => `b${ids++}`);
  const keys = new KeyStore(dynamo, stage.name('Keys'));
  const workspaces = new WorkspaceStore(dynamo, stage.name('Workspaces'));
  const providerKeys = new ProviderKeyStore(dynamo, stage.name('ProviderKeys-Table'));
  const addKey = (key: StoredKey) => lists.write({ key: keys.insertion(key) }, listings(keys, key, key));
  const audit = new ListAudit({ listsTable, lists, keys, workspaces, providerKeys });
  const look = async () => {
    const { Items = [] } = await dynamo.send(new ScanCommand({ TableName: listsTable }));
    return audit.look(Items);
  };
  const first = storedKey({ created_at: '2030-01-01T00:00:01.000Z' });
  await workspaces.create(defaultWorkspace(NOW, 'hash'), lists);
  await providerKeys.create(aProviderKey('a'), lists);
  await addKey(first);
  await addKey(storedKey());
  return { dynamo, keysTable: stage.name('Keys'), keys, lists, look, first, addKey };
}

let it: Awaited<ReturnType<typeof start>>;
beforeEach(async () => {
  it = await start();
});

const listed = async () => {
  const { rows } = await readList(it.lists, keyList(it.keys), { offset: 0, limit: 100 });
  return rows.map(({ hash }) => hash);
};

/** A row without a list entry, as an earlier version writes it. */
const another = storedKey({ created_at: '2030-01-01T00:00:02.000Z' });
const DONE: Readonly<Record<string, [() => Promise<unknown>, Record<string, number>]>> = {
  'a key that was made': [
    () =>
      it.dynamo.send(new PutCommand({ TableName: it.keysTable, Item: it.keys.insertion(another).Put?.Item })),
    { not_listed: 1, not_there: 0 },
  ],
  'a key that was deleted': [
    () => it.dynamo.send(new DeleteCommand({ TableName: it.keysTable, Key: { hash: it.first.hash } })),
    { not_listed: 0, not_there: 1 },
  ],
  'a key that was disabled': [
    () => transact(it.dynamo, { key: it.keys.change(it.first.hash, { disabled: true }, it.first, NOW) }),
    { not_listed: 1, not_there: 1 },
  ],
};

test('correct lists are left unchanged', async () => {
  expect(await it.look()).toEqual([]);
});

test('so are correct lists that an index shows minutes late', async () => {
  it = await start('late indexes');
  expect(await it.look()).toEqual([]);
});

describe.each(Object.entries(DONE))('%s, which no list was told of', (_, [act, facts]) => {
  test('is found in both of its lists, which are built again', async () => {
    await act();
    const findings = await it.look();
    const { problem } = { problem: 'the list differs from the rows' };
    expect(findings.map(({ id }) => id).toSorted()).toEqual(['keys', `keys/${it.first.workspace_id}`]);
    for (const finding of findings) {
      expect(finding).toMatchObject({ problem, facts });
      await transact(it.dynamo, finding.repair ?? {});
    }
    const there = (await Array.fromAsync(it.keys.list())).map(({ hash }) => hash);
    expect(await listed()).toEqual(there);
    const latest = storedKey({ created_at: '2030-01-01T00:00:03.000Z' });
    await it.addKey(latest);
    expect(await listed()).toEqual([...there, latest.hash]);
    expect(await it.look()).toEqual([]);
  });

  test('is left to the next run if the list changes meanwhile', async () => {
    await act();
    const [finding] = await it.look();
    await it.addKey(storedKey({ created_at: '2030-01-01T00:00:04.000Z' }));
    await expect(transact(it.dynamo, finding?.repair ?? {})).rejects.toThrow('do not hold: list');
  });
});
