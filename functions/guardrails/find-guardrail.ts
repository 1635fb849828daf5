import { NotFound } from '../http/errors.ts';
import { isId } from '../workspaces/find-workspace.ts';
import { ownGuardrailId, type Workspace } from '../workspaces/workspace.ts';
import type { WorkspaceStore } from '../workspaces/workspace-store.ts';
import { type Guardrail, isOwn, ownGuardrail } from './guardrail.ts';
import type { GuardrailStore } from './guardrail-store.ts';

export interface FindGuardrailPorts {
  readonly guardrails: Pick<GuardrailStore, 'find'>;
  readonly workspaces: Pick<WorkspaceStore, 'list'>;
}

/**
 * Finds a guardrail by its id. A workspace's own guardrail exists before it has a row. Its id does not name the
 * workspace, so all workspaces are looked through.
 * @throws NotFound
 */
export async function findGuardrail(
  name: string,
  { guardrails, workspaces }: FindGuardrailPorts,
): Promise<Guardrail> {
  if (!isId(name)) throw new NotFound('No such guardrail');
  const id = name.toLowerCase();
  const found = await guardrails.find(id);
  if (found !== undefined) return found;
  for await (const workspace of workspaces.list()) {
    if (ownGuardrailId(workspace.id) === id) return ownGuardrail(workspace);
  }
  throw new NotFound('No such guardrail');
}

/** All guardrails of a workspace: first its own, which exists before it has a row, then the others, oldest first. */
export async function listGuardrails(
  workspace: Pick<Workspace, 'id' | 'created_at'>,
  guardrails: Pick<GuardrailStore, 'list'>,
): Promise<Guardrail[]> {
  const stored = await Array.fromAsync(guardrails.list(workspace.id));
  const own = stored.find(isOwn) ?? ownGuardrail(workspace);
  return [own, ...stored.filter((each) => !isOwn(each))];
}
