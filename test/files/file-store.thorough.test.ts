import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import type { StoredFile } from '../../functions/files/file.ts';
import { FileStore, StorageFull } from '../../functions/files/file-store.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { AwsWorld, type Fault, type FaultPlan, faultAt, faultsOf, noFaults } from '../engines/index.ts';

const QUOTA = 100;
const NOW = new Date('2030-01-01T00:00:00Z');
const ALL = { after: undefined, limit: 1000 };

const aFile = (number: number, bytes: number): StoredFile => ({
  id: `gw_file_${number}`,
  workspace_id: 'ws',
  filename: 'shots.txt',
  mime_type: 'text/plain',
  size_bytes: bytes,
  purpose: 'user_data',
  created_at: '2030-01-01T00:00:00Z',
});

/** A store on a deployed table, and an observer that reads the table without faults. */
function start(faults: FaultPlan = noFaults) {
  const world = new AwsWorld({ requestTimeout: 2_000 });
  const table = new DeployedStage(world).name('Files-Table');
  const store = new FileStore(world.startProcess().dynamo, table, () => NOW);
  const create = async (file: StoredFile, quotaBytes: number) => {
    await store.announce(file);
    world.faults = faults;
    await store.create(file, quotaBytes);
  };
  const found = async () => {
    world.faults = noFaults;
    const { dynamo } = world.startProcess('onlooker');
    const { files } = await new FileStore(dynamo, table, () => NOW).list('ws', ALL);
    const usage = new GetCommand({ TableName: table, Key: { workspace_id: 'ws', id: '#usage' } });
    return { files, bytes: (await dynamo.send(usage)).Item?.bytes ?? 0 };
  };
  return { world, store, create, found };
}

describe('a workspace’s files', () => {
  test('are counted to the last byte, up to the quota', async () => {
    const { store, create, found } = start();
    await create(aFile(1, 60), QUOTA);
    await expect(create(aFile(2, 41), QUOTA)).rejects.toThrow(StorageFull);
    await create(aFile(3, 40), QUOTA);
    expect(await found()).toEqual({ files: [aFile(1, 60), aFile(3, 40)], bytes: 100 });
    expect([await store.remove(aFile(1, 60)), await store.remove(aFile(1, 60))]).toEqual([true, false]);
    expect(await found()).toEqual({ files: [aFile(3, 40)], bytes: 40 });
  });

  test('that arrive together share it like those that arrive one by one', async () => {
    const { create, found } = start();
    const creations = Array.from({ length: 6 }, (_, i) => create(aFile(i, 40), QUOTA));
    const outcomes = await Promise.allSettled(creations);
    const { files, bytes } = await found();
    expect(files.length).toBeLessThanOrEqual(2);
    expect(bytes).toBe(40 * files.length);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(files.length);
  });

  test('that have expired are not found, and are counted until they are removed', async () => {
    const { store, create, found } = start();
    const ended = { ...aFile(1, 60), expires_at: NOW.toISOString() };
    const ending = { ...aFile(2, 40), expires_at: new Date(NOW.getTime() + 1).toISOString() };
    await create(ended, QUOTA);
    await create(ending, QUOTA);
    expect(await store.find('ws', ended.id)).toBeUndefined();
    expect(await store.find('ws', ending.id)).toEqual(ending);
    expect(await found()).toEqual({ files: [ending], bytes: 100 });
    await store.remove(ended);
    expect(await found()).toEqual({ files: [ending], bytes: 40 });
  });

  test('are read by the megabyte, not one by one, if few of them are wanted', async () => {
    const { store, create, world } = start();
    for (let i = 1; i <= 60; i++) await create(aFile(i, 1), QUOTA);
    const before = world.journal.calls.length;
    const { files } = await store.list('ws', { purpose: 'batch', limit: 1, after: undefined });
    expect(files).toEqual([]);
    expect(world.journal.calls.slice(before).map(({ operation }) => operation)).toEqual(['Query', 'Query']);
  });

  test('are listed with their total size, on the first page and in the same call', async () => {
    const { store, create, world } = start();
    const list = (query: object) => store.list('ws', { ...ALL, ...query });
    expect(await list({})).toEqual({ files: [], storedBytes: 0 });
    for (let i = 1; i <= 3; i++) await create(aFile(i, 10), QUOTA);
    const before = world.journal.calls.length;
    expect(await list({ limit: 2 })).toEqual({ files: [aFile(1, 10), aFile(2, 10)], storedBytes: 30 });
    expect(world.journal.calls.slice(before).map(({ operation }) => operation)).toEqual(['Query']);
    expect(await list({ after: 'gw_file_2' })).toEqual({ files: [aFile(3, 10)], storedBytes: undefined });
    expect((await list({ purpose: 'user_data' })).storedBytes).toBeUndefined();
  });

  test('are listed by purpose, however far apart they are', async () => {
    const { store, create } = start();
    for (let i = 1; i <= 9; i++) {
      await create({ ...aFile(i, 1), purpose: i % 4 === 0 ? 'batch' : 'vision' }, QUOTA);
    }
    const listed = async (limit: number, after?: string) =>
      (await store.list('ws', { purpose: 'batch', limit, after })).files.map(({ id }) => id);
    expect(await listed(5)).toEqual(['gw_file_4', 'gw_file_8']);
    expect(await listed(1)).toEqual(['gw_file_4']);
    expect(await listed(1, 'gw_file_4')).toEqual(['gw_file_8']);
  });

  test('are listed newest first too, without their total size', async () => {
    const { store, create } = start();
    for (let i = 1; i <= 3; i++) await create(aFile(i, 10), QUOTA);
    const list = (query: object) => store.list('ws', { ...ALL, newestFirst: true, ...query });
    const [first, second, third] = [aFile(1, 10), aFile(2, 10), aFile(3, 10)];
    expect(await list({})).toEqual({ files: [third, second, first], storedBytes: undefined });
    expect((await list({ limit: 1, after: 'gw_file_2' })).files).toEqual([first]);
    expect((await list({ limit: 1, after: 'gw_file_1' })).files).toEqual([]);
  });

  const FAULTS = faultsOf({ operation: 'TransactWriteItems' }).filter((fault) => !fault.startsWith('crash'));

  test.each(FAULTS)(
    'survive the fault "%s" of one call, if the caller was told that they exist',
    async (fault) => {
      const { create, found } = start(faultAt({ operation: 'TransactWriteItems', nth: 1 }, fault));
      await create(aFile(1, 60), QUOTA);
      expect(await found()).toEqual({ files: [aFile(1, 60)], bytes: 60 });
    },
  );

  const LASTING = ['error', 'throttled', 'answer lost', 'hang', 'answer hangs'] as const satisfies Fault[];

  test.each(LASTING)('exist completely or not at all while the fault "%s" lasts', async (fault) => {
    const { create, found } = start(faultAt({ operation: 'TransactWriteItems' }, fault));
    const isTold = await create(aFile(1, 60), QUOTA).then(
      () => true,
      () => false,
    );
    const { files, bytes } = await found();
    expect([files.length, bytes]).toEqual(isTold ? [1, 60] : [0, 0]);
  });
});
