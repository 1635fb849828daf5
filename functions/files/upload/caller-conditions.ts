import { invalidKey } from '../../http/errors.ts';
import type { KeyStore } from '../../keys/key-store.ts';
import { foreignWorkspace } from '../../workspaces/acting-workspace.ts';
import type { WorkspaceStore } from '../../workspaces/workspace-store.ts';
import type { WriteConditions } from '../file-store.ts';

export interface CallerStores {
  readonly keys: Pick<KeyStore, 'keepAlive'>;
  readonly workspaces: Pick<WorkspaceStore, 'keepAlive'>;
}

/** The caller's key still lives and the workspace still stands, whatever this function remembers of them. */
export const callerConditions = (
  { keyHash, workspaceId }: { readonly keyHash: string; readonly workspaceId: string },
  { keys, workspaces }: CallerStores,
  now: Date,
): WriteConditions => ({
  key: { check: keys.keepAlive(keyHash, now), refusal: invalidKey },
  workspace: { check: workspaces.keepAlive(workspaceId), refusal: foreignWorkspace },
});
