import { invalidField } from '../http/invalid-field.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import { DEFAULT_WORKSPACE_ID } from './default-workspace.ts';
import { findWorkspace } from './find-workspace.ts';
import type { WorkspaceChange } from './workspace.ts';
import type { StoredWorkspace, WorkspaceStore } from './workspace-store.ts';

/** More than as many people ever change one workspace at the same moment. */
const ATTEMPTS = 10;

/**
 * Applies a change to the workspace as it is now. When somebody else was quicker, their change is read and
 * ours applied upon it: neither is lost.
 */
export function changeWorkspace(
  workspaces: Pick<WorkspaceStore, 'findById' | 'findBySlug' | 'replace'>,
  idOrSlug: string,
  change: WorkspaceChange,
  now: () => Date,
): Promise<StoredWorkspace> {
  const attempt = async () => {
    const { version, live_keys, ...before } = await findWorkspace(workspaces, idOrSlug);
    if (before.id === DEFAULT_WORKSPACE_ID && (change.slug ?? before.slug) !== before.slug) {
      throw invalidField('slug', 'the slug of the default workspace cannot be changed');
    }
    const after = { ...before, ...change, updated_at: now().toISOString() };
    const isOurs = await workspaces.replace({ ...before, version, live_keys }, after);
    return isOurs ? { ...after, version: version + 1, live_keys } : undefined;
  };
  const exhausted = () => new Error(`the workspace changed ${ATTEMPTS} times while it was being changed`);
  return retryOnConflict(ATTEMPTS, attempt, exhausted);
}
