import { refusedBy, type TransactItem } from '../aws/dynamo-writes.ts';
import { retryOnConflict } from '../aws/retry.ts';
import { invalidField } from '../http/errors.ts';
import type { Caller } from '../http/scope.ts';
import { findWorkspace } from './find-workspace.ts';
import {
  DEFAULT_WORKSPACE_ID,
  ownGuardrailId,
  type StoredWorkspace,
  type WorkspaceChange,
} from './workspace.ts';
import type { WorkspaceStore } from './workspace-store.ts';

/** More than the people who ever change one workspace at the same moment. */
const ATTEMPTS = 10;

export interface ChangeWorkspacePorts {
  readonly workspaces: Pick<WorkspaceStore, 'findById' | 'findBySlug' | 'replace'>;
  /**
   * Holds only as long as the workspace has such a guardrail. Guardrails import workspaces, so workspaces must not
   * import them.
   */
  readonly guardrails: { belonging(id: string, workspaceId: string): TransactItem };
  readonly now: () => Date;
}

/**
 * Applies a change to the workspace as it is now. If somebody else changed it first, the change is applied to theirs:
 * neither is lost.
 */
export function changeWorkspace(
  caller: Caller,
  idOrSlug: string,
  { default_guardrail_id: named, ...change }: WorkspaceChange,
  { workspaces, guardrails, now }: ChangeWorkspacePorts,
): Promise<StoredWorkspace> {
  const attempt = async () => {
    const { version, live_keys, ...before } = await findWorkspace(caller, workspaces, idOrSlug);
    if (before.id === DEFAULT_WORKSPACE_ID && (change.slug ?? before.slug) !== before.slug) {
      throw invalidField('slug', 'the slug of the default workspace cannot be changed');
    }
    const own = ownGuardrailId(before.id);
    const default_guardrail_id = named === undefined ? before.default_guardrail_id : (named ?? own);
    const after = { ...before, ...change, default_guardrail_id, updated_at: now().toISOString() };
    // The workspace's own guardrail exists even before it has a row.
    const guardrail =
      named === undefined || default_guardrail_id === own
        ? undefined
        : guardrails.belonging(default_guardrail_id, before.id);
    const isOurs = await workspaces
      .replace({ ...before, version, live_keys }, after, { guardrail })
      .catch(throwForGuardrail);
    return isOurs ? { ...after, version: version + 1, live_keys } : undefined;
  };
  const exhausted = () => new Error(`the workspace changed ${ATTEMPTS} times during one update`);
  return retryOnConflict(ATTEMPTS, attempt, exhausted);
}

function throwForGuardrail(error: unknown): never {
  if (!refusedBy(error, 'guardrail')) throw error;
  const rule =
    'this workspace has no such guardrail; GET /api/v1/guardrails with workspace_id lists its guardrails, and null selects the guardrail that the workspace was created with';
  throw invalidField('default_guardrail_id', rule, { cause: error });
}
