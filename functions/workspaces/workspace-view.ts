import type { StoredWorkspace } from './stored-workspace.ts';
import type { Workspace } from './workspace.ts';

/** A workspace as the API shows it: every field, and nothing of how it is stored. */
export function describeWorkspace({
  version: _version,
  live_keys: _keys,
  ...shown
}: StoredWorkspace): Workspace {
  return shown;
}
