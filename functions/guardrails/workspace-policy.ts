import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGetEach } from '../aws/dynamo-reads.ts';
import { ownGuardrailId, readWorkspace, type StoredWorkspace } from '../workspaces/workspace.ts';
import type { WorkspaceStore } from '../workspaces/workspace-store.ts';
import { type Guardrail, ownGuardrail, storedGuardrailSchema } from './guardrail.ts';
import type { GuardrailStore } from './guardrail-store.ts';

/** What a workspace's settings say about its submits. */
export interface WorkspacePolicy {
  readonly sort: StoredWorkspace['default_provider_sort'];
  /** The guardrail of keys that name none. */
  readonly guardrailId: string;
  readonly ownGuardrail: Guardrail;
  readonly agreesToDiscountLogging: boolean;
}

export interface PolicyPorts {
  readonly client: DynamoDBDocumentClient;
  readonly workspaces: Pick<WorkspaceStore, 'row'>;
  readonly guardrails: Pick<GuardrailStore, 'row'>;
}

/**
 * One read is enough for a workspace that uses its own guardrail, as most do. Undefined where there is no such
 * workspace.
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
  return {
    sort: workspace.default_provider_sort,
    guardrailId: workspace.default_guardrail_id,
    ownGuardrail: rows.guardrail ? v.parse(storedGuardrailSchema, rows.guardrail) : ownGuardrail(workspace),
    agreesToDiscountLogging: workspace.is_data_discount_logging_enabled,
  };
}

/**
 * The guardrail of a caller: the one that the key names, or else the workspace's. One that cannot be found allows
 * nothing.
 */
export async function guardrailFor(
  keysOwn: string | null,
  policy: WorkspacePolicy,
  find: (id: string) => Promise<Guardrail | undefined>,
): Promise<Guardrail> {
  const id = keysOwn ?? policy.guardrailId;
  if (id === policy.ownGuardrail.id) return policy.ownGuardrail;
  const guardrail = await find(id);
  if (guardrail === undefined)
    throw new Error(`the guardrail ${id} does not exist, although a key or its workspace uses it`);
  return guardrail;
}
