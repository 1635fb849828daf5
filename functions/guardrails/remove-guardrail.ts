import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { refusedBy } from '../aws/conditions.ts';
import { transact } from '../aws/transact.ts';
import { Conflict } from '../http/errors.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import type { WorkspaceStore } from '../workspaces/workspace-store.ts';
import { type FindGuardrailPorts, findGuardrail } from './find-guardrail.ts';
import { isOwn } from './guardrail.ts';
import type { GuardrailStore } from './guardrail-store.ts';

export interface RemoveGuardrailPorts extends FindGuardrailPorts {
  readonly client: DynamoDBDocumentClient;
  readonly guardrails: Pick<GuardrailStore, 'find' | 'deletion'>;
  readonly workspaces: Pick<WorkspaceStore, 'list' | 'naming'>;
  /** A key of the workspace that names the guardrail. A key that begins to name it later changes its version. */
  readonly namingKey: (id: string, workspaceId: string) => Promise<NamingKey | undefined>;
}

interface NamingKey {
  readonly hash: string;
  readonly name: string;
}

const ATTEMPTS = 10;

/**
 * Deletes a guardrail that no workspace and no key uses.
 * @throws NotFound, Conflict
 */
export async function removeGuardrail(id: string, ports: RemoveGuardrailPorts): Promise<void> {
  const { client, guardrails, workspaces, namingKey } = ports;
  const attempt = async () => {
    const guardrail = await findGuardrail(id, ports);
    if (isOwn(guardrail)) {
      throw new Conflict(
        'A workspace keeps its own guardrail; set its rules to null to let everything through',
      );
    }
    const key = await namingKey(guardrail.id, guardrail.workspace_id);
    if (key !== undefined) {
      throw new Conflict(
        `Key "${key.name}" (${key.hash}) goes by this guardrail; set its guardrail_id to another, or to null, first`,
      );
    }
    try {
      await transact(client, {
        guardrail: guardrails.deletion(guardrail),
        workspace: workspaces.naming(guardrail.workspace_id, { not: guardrail.id }),
      });
      return true;
    } catch (error) {
      if (refusedBy(error, 'workspace')) {
        const rule = `Workspace ${guardrail.workspace_id} goes by this guardrail; set its default_guardrail_id to another, or to null, first`;
        throw new Conflict(rule, { cause: error });
      }
      if (refusedBy(error, 'guardrail')) return undefined;
      throw error;
    }
  };
  const exhausted = () => new Error(`guardrail ${id} changed ${ATTEMPTS} times while it was being deleted`);
  await retryOnConflict(ATTEMPTS, attempt, exhausted);
}
