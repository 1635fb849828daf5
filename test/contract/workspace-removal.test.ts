import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InvalidRequest, NotFound } from '../../functions/http/errors.ts';
import { KeyMissing, WorkspaceMissing } from '../../functions/keys/key-lives.ts';
import { KeyStore } from '../../functions/keys/key-store.ts';
import { workspaceAccount } from '../../functions/money/account.ts';
import { AccountStore } from '../../functions/money/account-store.ts';
import { workspacePrefixes } from '../../functions/videos/bucket-layout.ts';
import { REST_MILLISECONDS } from '../../functions/workspaces/purge-workspace.ts';
import { dynamo } from './aws.ts';
import { Crash, crashingClients, WorkspaceWorld } from './workspace-world.ts';

let world: WorkspaceWorld;
beforeAll(async () => {
  world = await WorkspaceWorld.create();
});

const MOST_CALLS = 60;

async function* noKeys(): AsyncGenerator<never> {
  // As an index that lags behind.
}

const isCrash = (error: unknown) => {
  if (!(error instanceof Crash)) throw error;
};

/** Which of a deletion's calls it is: after the workspace, its keys and the list that it is in have been read. */
const DECISION = 5;

/** Runs `work` with a process that dies at its first call, then its second …, until one run lives to its end. */
async function dieEverywhere(
  when: 'before' | 'after',
  work: (attempt: () => ReturnType<typeof crashingClients>['clients']) => Promise<void>,
): Promise<number> {
  for (let at = 1; at <= MOST_CALLS; at++) {
    const { clients, counter } = crashingClients(at, when);
    await work(() => clients);
    if (counter.calls < at) return at - 1;
  }
  throw new Error(`it makes more than ${MOST_CALLS} calls`);
}

const settingsOf = async (id: string) =>
  (await world.holdings(id)).filter((each) => /^(key|guardrail|webhook|broadcast)/.test(each));

describe('the deletion of a workspace', () => {
  test.each([
    ['before', 'id'],
    ['after', 'id'],
    ['before', 'slug'],
    ['after', 'slug'],
  ] as const)(
    'that dies %s the effect of any of its calls is ended by asking again by its %s',
    async (when, by) => {
      const crashes = await dieEverywhere(when, async (clients) => {
        const workspace = await world.newWorkspace();
        await world.furnish(workspace.id);
        await world.remove(workspace[by], clients()).catch(isCrash);
        // Gone already where the crash came after all was done.
        await world.remove(workspace[by]).catch((error) => expect(error).toBeInstanceOf(NotFound));

        expect(await settingsOf(workspace.id)).toEqual([]);
        for (const name of [workspace.id, workspace.slug]) {
          await expect(world.remove(name)).rejects.toThrow(NotFound);
        }
        expect(await world.workspaces.findById(workspace.id)).toBeUndefined();
        await expect(world.newKey(workspace.id)).rejects.toThrow(WorkspaceMissing);
        const accounts = new AccountStore(dynamo, world.tables.accounts);
        expect(await accounts.readOne(workspaceAccount(workspace.id))).toMatchObject({ closed: true });
        expect((await world.newWorkspace(workspace.slug)).slug).toBe(workspace.slug);
      });
      expect(crashes).toBeGreaterThan(5);
    },
  );

  test('asked for many times at once happens once', async () => {
    const { id } = await world.newWorkspace();
    await world.furnish(id);
    const answers = await Promise.allSettled(Array.from({ length: 8 }, () => world.remove(id)));
    expect(answers.some(({ status }) => status === 'fulfilled')).toBe(true);
    for (const each of answers) if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(NotFound);
    expect(await settingsOf(id)).toEqual([]);
  });
});

describe('a workspace with keys', () => {
  const now = () => world.now.toISOString();
  const refusal = /has active keys/;

  test('can be deleted once none of them is of use', async () => {
    const { id } = await world.newWorkspace();
    const [deleted, disabled, expired] = [
      await world.newKey(id),
      await world.newKey(id),
      await world.newKey(id),
    ];
    await expect(world.remove(id)).rejects.toThrow(/such as "Test" \(sk-gw-v1-/);
    await world.lives.end(deleted);
    await world.lives.change(disabled, { disabled: true }, world.now);
    await expect(world.remove(id)).rejects.toThrow(refusal);
    await world.lives.change(expired, { expires_at: now() }, world.now);
    await world.remove(id);

    for (const change of [{ disabled: false }, { expires_at: null }]) {
      await expect(world.lives.change(expired, change, world.now)).rejects.toThrow(WorkspaceMissing);
    }
    await world.lives.change(expired, { name: 'Old' }, world.now);
    await world.lives.change(expired, { disabled: true }, world.now);
    for (const hash of [disabled, expired]) expect(await world.lives.end(hash)).toBe(true);
    expect(await world.lives.end(expired)).toBe(false);
  });

  test('cannot be deleted although the list of keys does not show them yet', async () => {
    const { id } = await world.newWorkspace();
    const hash = await world.newKey(id);
    const keys = new KeyStore(dynamo, world.tables.keys);
    const blind = { find: keys.find.bind(keys), list: () => noKeys() };
    await expect(world.remove(id, undefined, { keys: blind })).rejects.toThrow(InvalidRequest);
    await world.lives.end(hash);
    await world.remove(id, undefined, { keys: blind });
  });

  test('is either deleted or gets a key, when both are asked for at once', async () => {
    for (let round = 0; round < 20; round++) {
      const { id } = await world.newWorkspace();
      const [removed, made] = await Promise.allSettled([world.remove(id), world.newKey(id)]);
      expect([removed.status, made.status].sort()).toEqual(['fulfilled', 'rejected']);
    }
  });

  test('counts them right after any changes', async () => {
    const acts = {
      end: (hash: string) => world.lives.end(hash),
      disable: (hash: string) => world.lives.change(hash, { disabled: true }, world.now),
      enable: (hash: string) => world.lives.change(hash, { disabled: false }, world.now),
      expire: (hash: string) => world.lives.change(hash, { expires_at: now() }, world.now),
    };
    const step = fc.record({
      which: fc.nat(2),
      act: fc.constantFrom(
        'make' as const,
        'end' as const,
        'disable' as const,
        'enable' as const,
        'expire' as const,
      ),
    });
    const keys = new KeyStore(dynamo, world.tables.keys);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { id } = await world.newWorkspace();
        const made: string[] = [];
        for (const { which, act } of steps) {
          const hash = made[which % Math.max(1, made.length)];
          if (act === 'make' || hash === undefined) made.push(await world.newKey(id));
          else await acts[act](hash).catch((error) => expect(error).toBeInstanceOf(KeyMissing));
        }
        const found = await Promise.all(made.map((hash) => keys.find(hash)));
        const live_keys = found.filter((key) => key?.disabled === false).length;
        expect(await world.workspaces.findById(id)).toMatchObject({ live_keys });
      }),
      { numRuns: 25 },
    );
  });
});

describe('what a deleted workspace has stored', () => {
  beforeAll(async () => {
    world = await WorkspaceWorld.create();
  });
  const later = () => new Date(world.now.getTime() + REST_MILLISECONDS);

  test('is purged after an hour, to the last of it, and nothing of others', async () => {
    const [mine, other] = [await world.newWorkspace(), await world.newWorkspace()];
    for (const { id } of [mine, other]) await world.furnish(id);
    const before = await world.holdings(other.id);
    await world.remove(mine.id);
    world.now = new Date(later().getTime() - 1);
    await world.sweep();
    expect(await world.holdings(mine.id)).not.toEqual([]);
    world.now = new Date(world.now.getTime() + 1);
    await world.sweep();
    expect(await world.holdings(mine.id)).toEqual([]);
    expect(await world.holdings(other.id)).toEqual(before);
    expect(await world.workspaces.findById(other.id)).toBeDefined();
  });

  test.each(['before', 'after'] as const)(
    'is purged in the end though sweepers die %s the effect of each call',
    async (when) => {
      const crashes = await dieEverywhere(when, async (clients) => {
        const { id } = await world.newWorkspace();
        await world.furnish(id, workspacePrefixes(id).slice(0, 2));
        // Died too, right after its decision: nobody asks again.
        const removal = crashingClients(DECISION, 'after');
        await world.remove(id, removal.clients).catch(isCrash);
        expect(await world.removals()).toHaveLength(1);
        world.now = later();
        await world.sweep(clients()).catch(isCrash);
        await world.sweep();
        expect(await world.holdings(id)).toEqual([]);
        expect(await world.removals()).toEqual([]);
      });
      expect(crashes).toBeGreaterThan(10);
    },
  );

  test('is purged over several runs where one has too little time', async () => {
    const { id } = await world.newWorkspace();
    await world.furnish(id);
    await world.remove(id);
    world.now = later();
    let runs = 0;
    for (let left = 1; left > 0; runs++) {
      await world.sweep(undefined, 0);
      const remaining = await world.removals();
      left = remaining.length;
      expect(runs).toBeLessThan(20);
    }
    expect(runs).toBeGreaterThan(3);
    expect(await world.holdings(id)).toEqual([]);
  });
});
