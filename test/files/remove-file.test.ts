import { expect, test } from '@jest/globals';
import { FileStore } from '../../functions/files/file-store.ts';
import { type DeleteFilePorts, deleteFile } from '../../functions/files/remove-file.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { AwsWorld } from '../engines/index.ts';

const START = new Date('2030-01-01T00:00:00Z');
const ID = { workspace_id: 'ws', id: 'gw_file_0123456789abcdefghjkmnpqrs' };
const file = {
  ...ID,
  ...{ filename: 'a', mime_type: 'text/plain', size_bytes: 1, purpose: 'user_data' },
  created_at: START.toISOString(),
};

async function aFile(ports: Partial<DeleteFilePorts>) {
  const world = new AwsWorld();
  const table = new DeployedStage(world).name('Files-Table');
  const files = new FileStore(world.startProcess().dynamo, table, () => START);
  await files.announce(ID);
  await files.create(file, 1);
  const objects = { remove: async () => undefined };
  const all = { files, objects, newToken: () => 't', log: { warn: () => undefined }, ...ports };
  return { files, remove: () => deleteFile(file, all) };
}

test('a file counts as deleted only once its object is gone, because links lead to that', async () => {
  const busy = new Error('SlowDown');
  const { files, remove } = await aFile({ objects: { remove: () => Promise.reject(busy) } });
  await expect(remove()).rejects.toBe(busy);
  expect(await files.find(ID.workspace_id, ID.id)).toBeUndefined();
});

test('what is left of its row then is for the sweeper', async () => {
  const warned: unknown[] = [];
  const { files } = await aFile({});
  const end: FileStore['end'] = (...asked) => files.end(...asked);
  const failing = { end, remove: () => Promise.reject(new Error('busy')) };
  const log = { warn: (text: string) => void warned.push(text) };
  const ports = { files: failing, objects: { remove: async () => undefined }, newToken: () => 't', log };
  expect(await deleteFile(file, ports)).toBe(true);
  expect(warned).toEqual(['the row of a deleted file is left to the sweeper']);
});
