import type { TransactItem } from '../aws/transact.ts';
import type { InvalidRequest } from '../http/errors.ts';
import { invalidField } from '../http/invalid-field.ts';
import { ownGuardrailId } from '../workspaces/workspace.ts';
import type { StoredKey } from './key-store.ts';

/** Guardrails ask for the keys that name them, so keys must not import guardrails. */
export interface NameableGuardrails {
  /** Holds only if the workspace has such a guardrail; whoever is about to delete the guardrail notices it. */
  naming(id: string, workspaceId: string): TransactItem;
}

/** Where keys cannot name guardrails. */
export const noGuardrails: NameableGuardrails = {
  naming: (id) => {
    throw new Error(`keys cannot name guardrails here, but one names ${id}`);
  },
};

/** The key's workspace has no such guardrail, or no longer one. */
export class GuardrailMissing extends Error {
  override readonly name = 'GuardrailMissing';
}

/** Undefined where the key names none, or the workspace's own, which exists even before it has a row. */
export function namedGuardrail(
  { guardrail_id: id, workspace_id }: Pick<StoredKey, 'guardrail_id' | 'workspace_id'>,
  guardrails: NameableGuardrails,
): TransactItem | undefined {
  if (id === null || id === ownGuardrailId(workspace_id)) return undefined;
  return guardrails.naming(id, workspace_id);
}

export const noSuchGuardrail = (cause: GuardrailMissing): InvalidRequest =>
  invalidField(
    'guardrail_id',
    'the workspace of the key has no such guardrail; GET /api/v1/guardrails lists them, null means the default one',
    { cause },
  );
