import { beforeEach, describe, expect, test } from '@jest/globals';
import { transact } from '../../functions/aws/dynamo-writes.ts';
import { type KeyFilter, KeyStore } from '../../functions/keys/key-store.ts';
import { NOW, startKeys, WORKSPACE } from './key-world.ts';

const AT = new Date('2030-01-01T00:05:00Z');
const earlier = (milliseconds: number) => new Date(AT.getTime() - milliseconds);

let it: Awaited<ReturnType<typeof startKeys>>;
beforeEach(async () => {
  it = await startKeys();
});

describe('the last use of a key', () => {
  test('is noted, unless a later one has been', async () => {
    const { keys } = it.stores;
    const { hash } = await it.begun();
    const lastUse = async () => (await keys.find(hash))?.last_used_at;
    await keys.noteUse(hash, AT, earlier(60_000));
    expect(await lastUse()).toBe(AT.toISOString());
    await keys.noteUse(hash, earlier(10_000), earlier(1));
    expect(await lastUse()).toBe(AT.toISOString());
    await keys.noteUse(hash, earlier(10_000), AT);
    expect(await lastUse()).toBe(earlier(10_000).toISOString());
  });

  test('makes no key', async () => {
    await it.stores.keys.noteUse('none', AT, earlier(60_000));
    expect(await it.stores.keys.find('none')).toBeUndefined();
  });

  test('that cannot be written is an error', async () => {
    const nowhere = new KeyStore(it.dynamo, 'nowhere');
    await expect(nowhere.noteUse('none', AT, AT)).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });
});

describe('what needs a key that is alive', () => {
  test.each([
    ['has no end', {}, true],
    ['ends later', { expires_at: '2030-01-01T00:00:00.001Z' }, true],
    ['ends now', { expires_at: NOW.toISOString() }, false],
    ['is disabled', { disabled: true }, false],
  ])('as to one that %s', async (_, fields, isAlive) => {
    const { hash } = await it.begun(fields);
    const written = transact(it.dynamo, { key: it.stores.keys.keepAlive(hash, NOW) });
    await expect(written.then(() => true).catch(() => false)).resolves.toBe(isAlive);
  });
});

test('a key is not written over another', async () => {
  const key = await it.begun();
  await expect(transact(it.dynamo, { key: it.stores.keys.insertion(key) })).rejects.toThrow(
    'conditions of the transaction do not hold: key',
  );
});

test('a key can be found as soon as it is written', async () => {
  const asked: object[] = [];
  it.dynamo.middlewareStack.add(
    (next) => (args) => {
      asked.push(args.input);
      return next(args);
    },
    { step: 'initialize' },
  );
  await it.stores.keys.find('none');
  expect(asked).toEqual([expect.objectContaining({ ConsistentRead: true })]);
});

test('keys are listed oldest first, of a workspace or all, with or without those that are disabled', async () => {
  const names = async (filter: KeyFilter) =>
    (await Array.fromAsync(it.stores.keys.list(filter))).map(({ name }) => name);
  for (const [name, disabled] of [
    ['c', false],
    ['b', true],
    ['a', false],
  ] as const)
    await it.begun({ name, disabled, created_at: `2030-01-0${3 - 'abc'.indexOf(name)}T00:00:00.000Z` });
  expect(await names({})).toEqual(['c', 'b', 'a']);
  expect(await names({ workspaceId: WORKSPACE.id })).toEqual(['c', 'b', 'a']);
  expect(await names({ workspaceId: WORKSPACE.id, enabled: true })).toEqual(['c', 'a']);
  expect(await names({ enabled: true })).toEqual(['c', 'a']);
  expect(await names({ workspaceId: 'another' })).toEqual([]);
});
