import type { Workspace } from './workspace.ts';
import type { StoredWorkspace } from './workspace-store.ts';

/** A workspace as the API shows it: every field, and nothing of how it is stored. */
export function describeWorkspace({
  version: _version,
  live_keys: _keys,
  ...shown
}: StoredWorkspace): Workspace {
  return shown;
}
