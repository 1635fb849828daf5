import { command, placeOf } from './commands.ts';
import type { Scene } from './scene.ts';
import type { Tenant } from './tenants.ts';

async function close({ manage, jobs, now, leaving }: Scene, tenant: Tenant): Promise<boolean> {
  const { keyHash } = tenant;
  const { status } = await manage('delete-key', { path: { hash: keyHash } });
  if (status !== 200) return false;
  jobs.closedKeys.set(keyHash, now());
  leaving.add(tenant);
  return true;
}

/** @returns whether the workspace is certainly deleted */
async function remove({ manage, workspaces, violate }: Scene, { id }: Tenant): Promise<boolean> {
  const { status } = await manage('delete-workspace', { path: { workspace: id } });
  if (status === 200 && !workspaces.removed.has(id))
    violate('I14', `${id} is said to be deleted, and is not`);
  return status === 200;
}

/** A tenant that leaves, and another one in its place, unless the stage does not answer. What the first had stays its own. */
export const LEAVING = command(
  'delete workspace',
  2,
  (random) => ({ place: placeOf(random), closes: random() < 0.9 }),
  async (scene, { place, closes }) => {
    const tenant = scene.tenantIn(place);
    if (closes && !(await close(scene, tenant))) return;
    if (!(await remove(scene, tenant)) && !closes) return;
    const next = await scene.open();
    if (next !== undefined && scene.tenantIn(place) === tenant) scene.places[place] = next;
  },
);

/** How long calls may be refused after one that a clock a few minutes ahead has counted. */
const LONGEST_REFUSAL = 5 * 60_000;

/** A workspace can be deleted in which no job is open and no key is live, whatever happened before. */
export async function leave({ leaving, workspaces, manage, world, violate }: Scene): Promise<void> {
  for (const { id } of leaving) {
    if (!workspaces.isIdle(id)) continue;
    const ask = () => manage('delete-workspace', { path: { workspace: id } });
    let { status } = await ask();
    if (status === 429) {
      await world.clock.wait(LONGEST_REFUSAL);
      ({ status } = await ask());
    }
    if (!workspaces.removed.has(id)) violate('I14', `${id} cannot be deleted: ${status}`);
  }
}
