import type { Workspace } from '../workspaces/workspace.ts';
import { type Guardrail, isOwn, ownGuardrail } from './guardrail.ts';
import type { GuardrailStore } from './guardrail-store.ts';

/** All guardrails of a workspace: first its own, which exists before it has a row, then the others, oldest first. */
export async function listGuardrails(
  workspace: Pick<Workspace, 'id' | 'created_at'>,
  guardrails: Pick<GuardrailStore, 'list'>,
): Promise<Guardrail[]> {
  const stored = await Array.fromAsync(guardrails.list(workspace.id));
  const own = stored.find(isOwn) ?? ownGuardrail(workspace);
  return [own, ...stored.filter((each) => !isOwn(each))];
}
