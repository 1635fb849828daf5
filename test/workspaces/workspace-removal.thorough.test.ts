import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { AwsWorld } from '../engines/index.ts';
import { waitBy } from '../engines/virtual-waits.ts';
import type { WorkspaceWorld as World } from './workspace-world.ts';

const aws = new AwsWorld();
waitBy(aws);
const { NotFound } = await import('../../functions/http/errors.ts');
const { KeyMissing, WorkspaceMissing } = await import('../../functions/keys/key-lives.ts');
const { workspaceAccount } = await import('../../functions/money/account.ts');
const { workspacePrefixes } = await import('../../functions/videos/bucket-layout.ts');
const { REST_MILLISECONDS } = await import('../../functions/workspaces/remove-workspace.ts');
const { Crash, crashingClients, WorkspaceWorld } = await import('./workspace-world.ts');
const { describeRemoval, settingsOf } = await import('./removal-suite.ts');

const real = aws.startProcess();
describe('in memory', () => describeRemoval(real));

let world: World;
beforeAll(async () => {
  world = await WorkspaceWorld.create(real);
});

const MOST_CALLS = 60;

const isCrash = (error: unknown) => {
  if (!(error instanceof Crash)) throw error;
};

/** The number of the call that decides the deletion. The calls before it read the workspace, its keys and its list. */
const DECISION = 5;

/**
 * Runs `work` with a process that dies at its first call, then at its second, and so on, until one run reaches its end.
 */
async function dieEverywhere(
  when: 'before' | 'after',
  work: (attempt: () => ReturnType<typeof crashingClients>['clients']) => Promise<void>,
): Promise<number> {
  for (let at = 1; at <= MOST_CALLS; at++) {
    const { clients, counter } = crashingClients(real, at, when);
    await work(() => clients);
    if (counter.calls < at) return at - 1;
  }
  throw new Error(`it makes more than ${MOST_CALLS} calls`);
}

describe('the deletion of a workspace', () => {
  test.each([
    ['before', 'id'],
    ['after', 'id'],
    ['before', 'slug'],
    ['after', 'slug'],
  ] as const)(
    'that crashes %s the effect of any of its calls is finished by a repeated request by its %s',
    async (when, by) => {
      const crashes = await dieEverywhere(when, async (clients) => {
        const workspace = await world.newWorkspace();
        await world.furnish(workspace.id);
        await world.remove(workspace[by], clients()).catch(isCrash);
        // If the crash came after all the work, the workspace is gone already.
        await world.remove(workspace[by]).catch((error) => expect(error).toBeInstanceOf(NotFound));

        expect(await settingsOf(world, workspace.id)).toEqual([]);
        for (const name of [workspace.id, workspace.slug]) {
          await expect(world.remove(name)).rejects.toThrow(NotFound);
        }
        expect(await world.workspaces.findById(workspace.id)).toBeUndefined();
        await expect(world.newKey(workspace.id)).rejects.toThrow(WorkspaceMissing);
        expect(await world.accounts.readOne(workspaceAccount(workspace.id))).toMatchObject({ closed: true });
        expect((await world.newWorkspace(workspace.slug)).slug).toBe(workspace.slug);
      });
      expect(crashes).toBeGreaterThan(5);
    },
  );
});

describe('a workspace with keys', () => {
  test('counts them correctly after any changes', async () => {
    const acts = {
      end: (hash: string) => world.lives.end(hash),
      disable: (hash: string) => world.lives.change(hash, { disabled: true }, world.now),
      enable: (hash: string) => world.lives.change(hash, { disabled: false }, world.now),
      expire: (hash: string) => world.lives.change(hash, { expires_at: world.now.toISOString() }, world.now),
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
    const { keys } = world;
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

describe('the data of a deleted workspace', () => {
  beforeAll(async () => {
    world = await WorkspaceWorld.create(real);
  });

  test.each(['before', 'after'] as const)(
    'is finally purged although sweepers crash %s the effect of each call',
    async (when) => {
      const crashes = await dieEverywhere(when, async (clients) => {
        const { id } = await world.newWorkspace();
        await world.furnish(id, workspacePrefixes(id).slice(0, 2));
        // This deletion dies right after its decision, and nobody requests it again.
        const removal = crashingClients(real, DECISION, 'after');
        await world.remove(id, removal.clients).catch(isCrash);
        expect(await world.removals()).toHaveLength(1);
        world.now = new Date(world.now.getTime() + REST_MILLISECONDS);
        await world.sweep(clients()).catch(isCrash);
        await world.sweep();
        expect(await world.holdings(id)).toEqual([]);
        expect(await world.removals()).toEqual([]);
      });
      expect(crashes).toBeGreaterThan(10);
    },
  );
});
