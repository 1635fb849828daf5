import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { waitBy } from '../aws/virtual-waits.ts';
import { AwsWorld, type Fault } from '../engines/index.ts';
import type { Clients, WorkspaceWorld as World } from './workspace-world.ts';

const aws = new AwsWorld();
waitBy(aws);
const { NotFound } = await import('../../functions/http/errors.ts');
const { KeyMissing, WorkspaceMissing } = await import('../../functions/keys/key-lives.ts');
const { workspaceAccount } = await import('../../functions/money/account.ts');
const { workspacePrefixes } = await import('../../functions/videos/bucket-layout.ts');
const { REST_MILLISECONDS, SECOND_LOOK_MILLISECONDS } = await import(
  '../../functions/workspaces/remove-workspace.ts'
);
const { WorkspaceWorld } = await import('./workspace-world.ts');

const real = aws.startProcess();

let world: World;
beforeAll(async () => {
  world = await WorkspaceWorld.create(real);
});

const MOST_CALLS = 60;

/** The number of the call that decides the deletion. The calls before it read the workspace, its keys and its list. */
const DECISION = 5;

/** How many calls each process that may die has made, and its fault at the latest one. */
const plans = new Map<string, () => Fault | undefined>();
aws.faults = ({ process }) => plans.get(process)?.();

/** A process that dies at the call with this number, and with it the work that it is given. */
function dyingProcess(at: number, when: 'before' | 'after') {
  const name = `dying ${plans.size}`;
  const clients = aws.startProcess(name);
  let calls = 0;
  plans.set(name, () => (++calls === at ? `crash ${when}` : undefined));
  const run = (work: (clients: Clients) => Promise<unknown>) =>
    Promise.race([work(clients), clients.process.crashed]);
  return { run, calls: () => calls };
}

/**
 * Runs `work` with a process that dies at its first call, then at its second, and so on, until one run reaches its end.
 */
async function dieEverywhere(
  when: 'before' | 'after',
  work: (run: ReturnType<typeof dyingProcess>['run']) => Promise<void>,
): Promise<number> {
  for (let at = 1; at <= MOST_CALLS; at++) {
    const { run, calls } = dyingProcess(at, when);
    await work(run);
    if (calls() < at) return at - 1;
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
      const crashes = await dieEverywhere(when, async (run) => {
        const workspace = await world.newWorkspace();
        await world.furnish(workspace.id);
        await run((clients) => world.remove(workspace[by], clients));
        // If the crash came after all the work, the workspace is gone already.
        await world.remove(workspace[by]).catch((error) => expect(error).toBeInstanceOf(NotFound));

        expect(await world.settings(workspace.id)).toEqual([]);
        for (const name of [workspace.id, workspace.slug]) {
          await expect(world.remove(name)).rejects.toThrow(NotFound);
        }
        expect(await world.stores.workspaces.findById(workspace.id)).toBeUndefined();
        await expect(world.newKey(workspace.id)).rejects.toThrow(WorkspaceMissing);
        expect(await world.stores.accounts.readOne(workspaceAccount(workspace.id))).toMatchObject({
          closed: true,
        });
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
    const { keys } = world.stores;
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
        expect(await world.stores.workspaces.findById(id)).toMatchObject({ live_keys });
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
      const crashes = await dieEverywhere(when, async (run) => {
        const { id } = await world.newWorkspace();
        await world.furnish(id, workspacePrefixes(id).slice(0, 2));
        // This deletion dies right after its decision, and nobody requests it again.
        await dyingProcess(DECISION, 'after').run((clients) => world.remove(id, clients));
        expect(await world.removals()).toHaveLength(1);
        world.now = new Date(world.now.getTime() + REST_MILLISECONDS);
        const sweepTwice = async (clients?: Clients) => {
          await world.sweep(clients);
          world.now = new Date(world.now.getTime() + SECOND_LOOK_MILLISECONDS);
          await world.sweep(clients);
        };
        await run(sweepTwice);
        await sweepTwice();
        expect(await world.holdings(id)).toEqual([]);
        expect(await world.removals()).toEqual([]);
      });
      expect(crashes).toBeGreaterThan(10);
    },
  );
});
