import type { Log } from '../log.ts';
import type { Removal, RemovalStore } from './removal-store.ts';
import { type RemoveSettingsPorts, removeSettings } from './remove-settings.ts';

/** One kind of things that workspaces hold. */
export interface Holding {
  /**
   * Removes as many as one call takes.
   * @returns false when there were none
   */
  removeSome(workspaceId: string): Promise<boolean>;
}

export interface PurgePorts extends RemoveSettingsPorts {
  readonly removals: Pick<RemovalStore, 'freeSlug' | 'forget'>;
  readonly holdings: readonly Holding[];
  readonly now: () => Date;
}

/**
 * Longer than anything can have been under way when the workspace was deleted: an upload may take a quarter of an hour.
 */
export const REST_MILLISECONDS = 60 * 60_000;

/**
 * Removes what a deleted workspace held, a call at a time until `deadline`. The row that says so is removed last, so
 * that the next run finds whatever is left.
 * @returns whether nothing is left
 */
export async function purgeWorkspace(removal: Removal, deadline: Date, ports: PurgePorts): Promise<boolean> {
  if (ports.now().getTime() < Date.parse(removal.removed_at) + REST_MILLISECONDS) return false;
  await removeSettings(removal.id, ports);
  if (!removal.slug_freed) await ports.removals.freeSlug(removal);
  for (const holding of ports.holdings) {
    while (await holding.removeSome(removal.id)) if (ports.now() >= deadline) return false;
  }
  await ports.removals.forget(removal);
  return true;
}

export interface PurgeAllPorts extends PurgePorts {
  readonly removals: Pick<RemovalStore, 'list' | 'freeSlug' | 'forget'>;
  readonly log: Pick<Log, 'info' | 'error'>;
}

/** Purges deleted workspaces until `deadline`. One that cannot be purged does not delay the others. */
export async function purgeWorkspaces(deadline: Date, ports: PurgeAllPorts): Promise<void> {
  const { removals, now, log } = ports;
  for await (const removal of removals.list()) {
    if (now() >= deadline) return;
    try {
      const isDone = await purgeWorkspace(removal, deadline, ports);
      if (isDone) log.info('workspace purged', { workspace_id: removal.id });
    } catch (error) {
      log.error('workspace not purged yet', { workspace_id: removal.id, error });
    }
  }
}
