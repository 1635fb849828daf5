import { invalidKey } from '../../http/errors.ts';
import { keyIsLive } from '../../keys/key-rows.ts';
import { workspaceStands } from '../../workspaces/workspace-rows.ts';
import { foreignWorkspace } from '../file-scope.ts';
import type { WriteCondition } from '../file-store.ts';

export interface CallerTables {
  readonly keys: string;
  readonly workspaces: string;
}

/** The caller's key still lives and the workspace still stands, whatever this function remembers of them. */
export const callerConditions = (
  { keyHash, workspaceId }: { readonly keyHash: string; readonly workspaceId: string },
  tables: CallerTables,
  now: Date,
): WriteCondition[] => [
  { check: keyIsLive(tables.keys, keyHash, now), refusal: invalidKey },
  { check: workspaceStands(tables.workspaces, workspaceId), refusal: foreignWorkspace },
];
