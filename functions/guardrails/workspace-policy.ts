import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGetEach } from '../aws/batch-get.ts';
import { ownGuardrailId } from '../workspaces/workspace.ts';
import { readWorkspace, type StoredWorkspace, type WorkspaceStore } from '../workspaces/workspace-store.ts';
import { type Guardrail, ownGuardrail, storedGuardrailSchema } from './guardrail.ts';
import type { GuardrailStore } from './guardrail-store.ts';

/** What a workspace's settings say of its submits. */
export interface WorkspacePolicy {
  readonly sort: StoredWorkspace['default_provider_sort'];
  readonly guardrail: Guardrail;
  readonly agreesToDiscountLogging: boolean;
}

export interface PolicyPorts {
  readonly client: DynamoDBDocumentClient;
  readonly workspaces: Pick<WorkspaceStore, 'row'>;
  readonly guardrails: Pick<GuardrailStore, 'row' | 'find'>;
}

/**
 * One read for a workspace that goes by its own guardrail, as most do, and one more for the others. Undefined where
 * there is no such workspace. A guardrail that cannot be found lets nothing through.
 */
export async function readPolicy(
  workspaceId: string,
  { client, workspaces, guardrails }: PolicyPorts,
): Promise<WorkspacePolicy | undefined> {
  const rows = await batchGetEach(client, {
    workspace: workspaces.row(workspaceId),
    guardrail: guardrails.row(ownGuardrailId(workspaceId)),
  });
  const workspace = rows.workspace && readWorkspace(rows.workspace);
  if (workspace === undefined) return undefined;
  const named = workspace.default_guardrail_id;
  const own = rows.guardrail ? v.parse(storedGuardrailSchema, rows.guardrail) : ownGuardrail(workspace);
  const guardrail = named === own.id ? own : await guardrails.find(named);
  if (guardrail === undefined)
    throw new Error(`workspace ${workspaceId} goes by a guardrail that is not there`);
  return {
    sort: workspace.default_provider_sort,
    guardrail,
    agreesToDiscountLogging: workspace.is_data_discount_logging_enabled,
  };
}
