import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { refusedBy, transact } from '../aws/dynamo-writes.ts';
import { retryOnConflict } from '../aws/retry.ts';
import type { WorkspaceStore } from '../workspaces/workspace-store.ts';
import { GuardrailMissing, type NameableGuardrails, namedGuardrail, WorkspaceMissing } from './key-lives.ts';
import type { KeyStore, StoredKey } from './key-store.ts';

export interface NameTogetherPorts {
  readonly client: DynamoDBDocumentClient;
  readonly keys: Pick<KeyStore, 'change'>;
  readonly workspaces: Pick<WorkspaceStore, 'countKeys'>;
  readonly guardrails: NameableGuardrails;
  readonly now: () => Date;
}

/** An attempt fails when one of the keys, or which of them there are, changed after they were read. */
const ATTEMPTS = 10;

/**
 * Lets keys of one workspace name a guardrail of it, or none: all of them or, where one has changed, none.
 * @param read the keys as they are now; it refuses those that may not be changed
 * @returns the keys as they were
 * @throws WorkspaceMissing, GuardrailMissing
 */
export function nameTogether(
  guardrailId: string | null,
  read: () => Promise<readonly StoredKey[]>,
  { client, keys, workspaces, guardrails, now }: NameTogetherPorts,
): Promise<readonly StoredKey[]> {
  const attempt = async () => {
    const found = await read();
    const [first] = found;
    if (first === undefined) return found;
    const change = { guardrail_id: guardrailId };
    try {
      await transact(client, {
        key: found.map((key) => keys.change(key.hash, change, key, now())),
        // Whoever is about to delete the workspace looks at its keys again.
        workspace: workspaces.countKeys(first.workspace_id, 0),
        guardrail: namedGuardrail({ ...first, ...change }, guardrails),
      });
      return found;
    } catch (cause) {
      if (refusedBy(cause, 'guardrail')) throw new GuardrailMissing('of the keys', { cause });
      if (refusedBy(cause, 'workspace')) throw new WorkspaceMissing(first.workspace_id, { cause });
      if (refusedBy(cause, 'key')) return undefined;
      throw cause;
    }
  };
  const exhausted = () => new Error(`keys changed during ${ATTEMPTS} attempts to let them name a guardrail`);
  return retryOnConflict(ATTEMPTS, attempt, exhausted);
}
