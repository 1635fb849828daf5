import { beforeEach, expect, test } from '@jest/globals';
import type { StoredProviderKey } from '../../functions/provider-keys/provider-key.ts';
import { ProviderKeyStore } from '../../functions/provider-keys/provider-key-store.ts';
import { ProviderSecrets } from '../../functions/provider-keys/provider-secrets.ts';
import { sealSecret, unsealSecret } from '../../functions/provider-keys/secret-box.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { AwsWorld } from '../engines/index.ts';
import { listsOf } from '../lists/lists-of.ts';
import { aProviderKey } from './a-provider-key.ts';

/** Provider keys in their table, sealed in KMS. */
function startKeys() {
  const world = new AwsWorld();
  const stage = new DeployedStage(world);
  const { dynamo, kms } = world.startProcess();
  const kmsKeyId = world.kms.createKey('ENCRYPT_DECRYPT', 'sealing');
  const store = new ProviderKeyStore(dynamo, stage.name('ProviderKeys-Table'));
  const lists = listsOf(dynamo, stage);
  const sealed = (key: StoredProviderKey, secret: string) => sealSecret(kms, kmsKeyId, key, secret);
  const add = async (key: StoredProviderKey, secret: string) =>
    store.create({ ...key, ciphertext: await sealed(key, secret) }, lists);
  const keys = new ProviderSecrets({ store, kms, kmsKeyId, now: world.clock.now });
  return { world, kms, kmsKeyId, store, lists, sealed, add, keys };
}

let it: ReturnType<typeof startKeys>;
beforeEach(() => {
  it = startKeys();
});

test('each workspace gets its own key, and no other can open it', async () => {
  const [one, other] = ['ws-1', 'ws-2'].map((workspace_id) => aProviderKey(workspace_id, { workspace_id }));
  await it.add(one!, 'first');
  await it.add(other!, 'second');
  expect([await it.keys.find('ws-1', 'fal'), await it.keys.find('ws-2', 'fal')]).toEqual(['first', 'second']);
  const stolen = unsealSecret(
    it.kms,
    it.kmsKeyId,
    { ...one!, workspace_id: 'ws-2' },
    await it.sealed(one!, 'x'),
  );
  await expect(stolen).rejects.toThrow();
});

test('a changed secret is used within half a minute', async () => {
  const key = aProviderKey('a');
  await it.add(key, 'old');
  expect(await it.keys.find('ws-1', 'fal')).toBe('old');
  await it.store.update('a', { ciphertext: await it.sealed(key, 'new') }, it.world.clock.now());
  await it.world.clock.wait(30_000);
  expect(await it.keys.find('ws-1', 'fal')).toBe('new');
});

test('a secret is opened once, and a changed one once more', async () => {
  const key = aProviderKey('a');
  await it.add(key, 'old');
  const opened = () => it.world.journal.calls.filter(({ operation }) => operation === 'Decrypt').length;
  const find = () => it.keys.find('ws-1', 'fal');
  expect([await find(), await find(), opened()]).toEqual(['old', 'old', 1]);
  await it.store.update('a', { ciphertext: await it.sealed(key, 'new') }, it.world.clock.now());
  await it.world.clock.wait(30_000);
  expect([await find(), await find(), opened()]).toEqual(['new', 'new', 2]);
});

test('a key is created once and removed once, and a removed one does not change', async () => {
  await it.add(aProviderKey('a'), 'secret');
  await expect(it.add(aProviderKey('a'), 'other')).rejects.toThrow('do not hold');
  const removed = await Promise.all([1, 2].map(() => it.store.remove('a', it.lists)));
  expect(removed.toSorted()).toEqual([false, true]);
  expect(await it.store.update('a', { name: 'late' }, it.world.clock.now())).toBeUndefined();
  expect(await it.store.find('a')).toBeUndefined();
});
