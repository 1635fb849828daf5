import { beforeEach, describe, expect, test } from '@jest/globals';
import { GuardrailMissing, KeyLives, KeyMissing, WorkspaceMissing } from '../../functions/keys/key-lives.ts';
import { KeyStore } from '../../functions/keys/key-store.ts';
import { keyAccount } from '../../functions/money/account.ts';
import { AccountStore } from '../../functions/money/account-store.ts';
import { micros } from '../../functions/money/micros.ts';
import { ownGuardrailId } from '../../functions/workspaces/workspace.ts';
import { NOW, startKeys, WORKSPACE } from './key-world.ts';
import { storedKey } from './stored-key.ts';

const LATER = '2031-01-01T00:00:00.000Z';
const NOT_LIMITED = { limits: {}, countsByok: false };
const FIVE = {
  limits: { daily: { micros: micros(5), created_at: NOW.toISOString(), updated_at: NOW.toISOString() } },
  countsByok: true,
};
const NOBODYS = '11111111-1111-4111-8111-111111111111';
const ENABLED = { enabled: [true, true], disabled: [false, false] };
const DISABLED = { enabled: [false, false], disabled: [true, true] };
const NOWHERE = { enabled: [false, false], disabled: [false, false] };

let it: Awaited<ReturnType<typeof startKeys>>;
beforeEach(async () => {
  it = await startKeys();
});

/** Lives in which others do something each time after a key was read. */
function disturbedLives(disturb: (hash: string) => Promise<unknown>): KeyLives {
  class DisturbedKeys extends KeyStore {
    override async find(hash: string) {
      const found = await super.find(hash);
      await disturb(hash);
      return found;
    }
  }
  return new KeyLives({ ...it.stores, keys: new DisturbedKeys(it.dynamo, it.tables.keys) });
}

/** Switches a key over, behind the back of whoever has just read it. */
async function switchOver(hash: string): Promise<void> {
  const key = await it.stores.keys.find(hash);
  await it.lives.change(hash, { disabled: !key?.disabled }, NOW);
}

describe('a key that begins', () => {
  test('is written with its account, its workspace and its lists', async () => {
    const key = storedKey({ workspace_id: WORKSPACE.id, expires_at: LATER });
    await it.lives.begin(key, FIVE);
    expect(await it.stores.keys.find(key.hash)).toEqual(key);
    expect(await it.around(key)).toMatchObject({
      account: { closed: false, closes_at: LATER, limits: FIVE.limits },
      liveKeys: 1,
      lists: ENABLED,
    });
  });

  test('needs its workspace', async () => {
    await it.loseWorkspace();
    const key = storedKey({ workspace_id: WORKSPACE.id });
    await expect(it.lives.begin(key, NOT_LIMITED)).rejects.toThrow(new WorkspaceMissing(WORKSPACE.id));
    expect(await it.stores.keys.find(key.hash)).toBeUndefined();
  });

  test('is not written over another', async () => {
    const key = await it.begun();
    await expect(it.lives.begin({ ...key, name: 'Mine' }, NOT_LIMITED)).rejects.toThrow(
      `the key ${key.hash} already exists`,
    );
    expect(await it.stores.keys.find(key.hash)).toEqual(key);
  });

  test('names a guardrail of its workspace, or its workspace’s own, which needs no row', async () => {
    await expect(it.begun({ guardrail_id: NOBODYS })).rejects.toMatchObject({
      name: 'GuardrailMissing',
      message: 'of the key',
    });
    const key = await it.begun({ guardrail_id: ownGuardrailId(WORKSPACE.id) });
    expect(await it.stores.keys.find(key.hash)).toEqual(key);
  });

  test('fails as its stores do', async () => {
    const write = () => Promise.reject(new Error('throttled'));
    const lives = new KeyLives({ ...it.stores, lists: { write } });
    await expect(lives.begin(storedKey(), NOT_LIMITED)).rejects.toThrow('throttled');
  });
});

describe('a key that changes', () => {
  test('only its name: nothing else is written', async () => {
    const key = await it.begun();
    const before = await it.around(key);
    await it.lives.change(key.hash, { name: 'New' }, NOW);
    const after = { ...key, name: 'New', updated_at: NOW.toISOString() };
    expect(await it.stores.keys.find(key.hash)).toEqual(after);
    expect(await it.around(key)).toEqual(before);
  });

  test('is closed and left out while it is disabled', async () => {
    const key = await it.begun({ expires_at: LATER });
    await it.lives.change(key.hash, { disabled: true }, NOW);
    expect(await it.around(key)).toMatchObject({
      account: { closed: true, closes_at: LATER },
      liveKeys: 0,
      lists: DISABLED,
    });
    await it.lives.change(key.hash, { disabled: false }, NOW);
    expect(await it.around(key)).toMatchObject({ account: { closed: false }, liveKeys: 1, lists: ENABLED });
  });

  test.each([
    ['disabled again', { disabled: true }, { disabled: true }, 0, DISABLED],
    ['enabled again', {}, { disabled: false }, 1, ENABLED],
    ['given an end', {}, { expires_at: LATER }, 1, ENABLED],
    ['given an end while disabled', { disabled: true }, { expires_at: LATER }, 0, DISABLED],
    ['given a guardrail', {}, { guardrail_id: ownGuardrailId(WORKSPACE.id) }, 1, ENABLED],
  ])(
    'is counted once when %s, and whoever deletes the workspace notices',
    async (_, first, change, live, lists) => {
      const key = await it.begun();
      await it.lives.change(key.hash, first, NOW);
      const before = await it.around(key);
      await it.lives.change(key.hash, change, NOW);
      expect(await it.stores.keys.find(key.hash)).toMatchObject({ ...first, ...change });
      expect(await it.around(key)).toMatchObject({ liveKeys: live, version: before.version + 1, lists });
    },
  );

  test('closes its account with its end', async () => {
    const key = await it.begun();
    await it.lives.change(key.hash, { expires_at: LATER }, NOW);
    expect((await it.around(key)).account).toMatchObject({ closed: false, closes_at: LATER });
    await it.lives.change(key.hash, { expires_at: null }, NOW);
    expect((await it.around(key)).account).toMatchObject({ closes_at: null });
  });

  test('sets its limits by its account, in the same write', async () => {
    const key = await it.begun();
    const seen: string[] = [];
    await it.lives.change(key.hash, { expires_at: LATER }, NOW, ({ account }) => {
      seen.push(account);
      return FIVE;
    });
    expect((await it.around(key)).account).toEqual({
      closed: false,
      closes_at: LATER,
      limits: FIVE.limits,
    });
    expect(seen).toEqual([keyAccount(key.hash)]);
  });

  test.each([{ name: 'New' }, { disabled: true }])('must be there to get %j', async (change) => {
    await expect(it.lives.change('none', change, NOW)).rejects.toThrow(new KeyMissing('none'));
  });

  test('of a deleted workspace can be disabled, and nothing else of its life', async () => {
    const key = await it.begun();
    await it.loseWorkspace();
    for (const change of [{ disabled: false }, { expires_at: LATER }]) {
      await expect(it.lives.change(key.hash, change, NOW)).rejects.toThrow(new WorkspaceMissing(key.hash));
    }
    expect(await it.stores.keys.find(key.hash)).toEqual(key);
    await it.lives.change(key.hash, { disabled: true }, NOW);
    expect(await it.around(key)).toMatchObject({ account: { closed: true }, lists: DISABLED });
  });

  test('names only a guardrail that is there', async () => {
    const key = await it.begun();
    await expect(it.lives.change(key.hash, { guardrail_id: NOBODYS }, NOW)).rejects.toThrow(GuardrailMissing);
    const before = await it.around(key);
    await it.lives.change(key.hash, { guardrail_id: null }, NOW);
    expect((await it.around(key)).version).toBe(before.version);
  });

  test('is read again when somebody else has switched it over meanwhile', async () => {
    const key = await it.begun();
    let times = 0;
    const lives = disturbedLives(async (hash) => (times++ === 0 ? switchOver(hash) : undefined));
    await lives.change(key.hash, { expires_at: LATER }, NOW);
    expect(await it.around(key)).toMatchObject({ liveKeys: 0, lists: DISABLED });
    expect(await it.stores.keys.find(key.hash)).toMatchObject({ disabled: true, expires_at: LATER });
  });

  test('is given up when somebody else changes it all the time', async () => {
    const key = await it.begun();
    let times = 0;
    const lives = disturbedLives((hash) => {
      times++;
      return switchOver(hash);
    });
    await expect(lives.change(key.hash, { disabled: true }, NOW)).rejects.toThrow(
      `the key ${key.hash} changed 5 times while it was being updated`,
    );
    expect(times).toBe(5);
  });

  test('reads its limits again when somebody else has changed them meanwhile', async () => {
    const key = await it.begun();
    let times = 0;
    class DisturbedAccounts extends AccountStore {
      override async readOne(id: string) {
        const account = await super.readOne(id);
        if (times++ === 0) await it.lives.change(key.hash, {}, NOW, () => NOT_LIMITED);
        return account;
      }
    }
    const accounts = new DisturbedAccounts(it.dynamo, it.tables.accounts);
    await new KeyLives({ ...it.stores, accounts }).change(key.hash, {}, NOW, () => FIVE);
    expect((await it.around(key)).account.limits).toEqual(FIVE.limits);
    expect(times).toBe(2);
  });
});

describe('a key that ends', () => {
  test.each([
    ['enabled', false],
    ['disabled', true],
  ])('leaves its lists and its workspace, %s or not', async (_, disabled) => {
    await it.begun();
    const key = await it.begun();
    if (disabled) await it.lives.change(key.hash, { disabled }, NOW);
    const { version } = await it.around(key);
    expect(await it.lives.end(key.hash)).toBe(true);
    expect(await it.stores.keys.find(key.hash)).toBeUndefined();
    expect(await it.around(key)).toMatchObject({
      account: { closed: true },
      liveKeys: 1,
      version: disabled ? version : version + 1,
      lists: NOWHERE,
    });
  });

  test('must have begun', async () => {
    expect(await it.lives.end('none')).toBe(false);
  });

  test('needs no workspace', async () => {
    const key = await it.begun();
    await it.loseWorkspace();
    expect(await it.lives.end(key.hash)).toBe(true);
    expect(await it.stores.keys.find(key.hash)).toBeUndefined();
  });

  test('counts as it was when it ended, and is given up when it changes all the time', async () => {
    const key = await it.begun();
    let times = 0;
    const lives = disturbedLives(async (hash) => (times++ === 0 ? switchOver(hash) : undefined));
    expect(await lives.end(key.hash)).toBe(true);
    expect((await it.around(key)).liveKeys).toBe(0);
    const other = await it.begun();
    await expect(disturbedLives(switchOver).end(other.hash)).rejects.toThrow(
      `the key ${other.hash} changed 5 times while it was being deleted`,
    );
  });
});
