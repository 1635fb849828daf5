import { NotFound } from '../http/errors.ts';
import { type Caller, mayActIn } from '../http/scope.ts';
import { type ListStore, readList } from '../lists/list-store.ts';
import { isId } from '../workspaces/find-workspace.ts';
import { ownGuardrailId, type Workspace } from '../workspaces/workspace.ts';
import { type WorkspaceStore, workspaceList } from '../workspaces/workspace-store.ts';
import { type Guardrail, isOwn, ownGuardrail } from './guardrail.ts';
import type { GuardrailStore } from './guardrail-store.ts';

export interface FindGuardrailPorts {
  readonly guardrails: Pick<GuardrailStore, 'find'>;
  readonly workspaces: Pick<WorkspaceStore, 'list' | 'read'>;
  readonly lists: Pick<ListStore, 'page'>;
}

const WORKSPACES_A_PAGE = 100;

/**
 * Finds a guardrail by its id. A workspace's own guardrail exists before it has a row. Its id does not name the
 * workspace, so all workspaces are looked through: in their list, because an index may miss a new one.
 * @throws NotFound where there is none in a workspace of the caller's
 */
export async function findGuardrail(
  caller: Caller,
  name: string,
  { guardrails, workspaces, lists }: FindGuardrailPorts,
): Promise<Guardrail> {
  if (!isId(name)) throw new NotFound('No such guardrail');
  const id = name.toLowerCase();
  const found = await guardrails.find(id);
  if (found !== undefined) {
    if (mayActIn(caller, found.workspace_id)) return found;
    throw new NotFound('No such guardrail');
  }
  for (let offset = 0, total = 1; offset < total; offset += WORKSPACES_A_PAGE) {
    const page = await readList(lists, workspaceList(workspaces), { offset, limit: WORKSPACES_A_PAGE });
    const workspace = page.rows.find((each) => ownGuardrailId(each.id) === id);
    if (workspace !== undefined && mayActIn(caller, workspace.id)) return ownGuardrail(workspace);
    total = page.total;
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
