import type { TransactItem } from '../aws/transact.ts';
import type { InvalidRequest } from '../http/errors.ts';
import { invalidField } from '../http/invalid-field.ts';
import { ownGuardrailId } from '../workspaces/workspace.ts';
import type { StoredKey } from './key-store.ts';

/** Guardrails ask for the keys that name them, so keys do not know guardrails. */
export interface NameableGuardrails {
  /** What holds only where the workspace has such a guardrail, and is seen by whoever is about to delete it. */
  naming(id: string, workspaceId: string): TransactItem;
}

/** For who lets no key name one. */
export const noGuardrails: NameableGuardrails = {
  naming: (id) => {
    throw new Error(`nobody here lets a key name the guardrail ${id}`);
  },
};

/** The workspace of the key has no guardrail of the name that the key was to have, or no longer. */
export class GuardrailMissing extends Error {
  override readonly name = 'GuardrailMissing';
}

/** Undefined where the key names none, or its workspace's own, which is there also before it has a row. */
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
