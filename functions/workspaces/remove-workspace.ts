import { conditionFailed } from '../aws/conditions.ts';
import { InvalidRequest } from '../http/errors.ts';
import { workspaceAccount } from '../money/account.ts';
import type { ProviderKeyStore } from '../provider-keys/provider-key-store.ts';
import { DEFAULT_WORKSPACE_ID } from './default-workspace.ts';
import { findWorkspace } from './find-workspace.ts';
import type { WorkspaceStore } from './workspace-store.ts';

/** What is asked of a key; the store of keys knows workspaces, so this side does not know it. */
interface WorkspaceKey {
  readonly workspace_id: string;
  readonly name: string;
  readonly label: string;
  readonly disabled: boolean;
  readonly expires_at: string | null;
}

export interface RemoveWorkspacePorts {
  readonly workspaces: Pick<WorkspaceStore, 'findById' | 'findBySlug' | 'remove'>;
  readonly keys: { list(): AsyncIterable<WorkspaceKey> };
  readonly providerKeys: Pick<ProviderKeyStore, 'list' | 'remove'>;
  readonly accountsTable: string;
  readonly now: () => Date;
}

const ATTEMPTS = 5;

/**
 * Deletes a workspace that nobody can use any more. Its account is closed in the same transaction, so that no
 * job begins in it; a key made meanwhile changes the workspace's version, and the keys are looked at again.
 * @throws NotFound, InvalidRequest
 */
export async function removeWorkspace(idOrSlug: string, ports: RemoveWorkspacePorts): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const workspace = await findWorkspace(ports.workspaces, idOrSlug);
    if (workspace.id === DEFAULT_WORKSPACE_ID) {
      throw new InvalidRequest('The default workspace cannot be deleted');
    }
    await assertNoActiveKeys(workspace.id, ports);
    try {
      if (await ports.workspaces.remove(workspace, [closeAccount(ports.accountsTable, workspace.id)])) {
        return await removeProviderKeys(workspace.id, ports);
      }
    } catch (cause) {
      if (!conditionFailed(cause)) throw cause;
      throw new InvalidRequest('The workspace has running jobs; cancel them or let them end first', {
        cause,
      });
    }
  }
  throw new Error(`the workspace changed ${ATTEMPTS} times while it was being deleted`);
}

/** Nobody could use or delete them any more. */
async function removeProviderKeys(
  workspaceId: string,
  { providerKeys }: RemoveWorkspacePorts,
): Promise<void> {
  for await (const { id } of providerKeys.list(workspaceId)) await providerKeys.remove(id);
}

async function assertNoActiveKeys(workspaceId: string, { keys, now }: RemoveWorkspacePorts): Promise<void> {
  for await (const key of keys.list()) {
    const isExpired = key.expires_at !== null && new Date(key.expires_at) <= now();
    if (key.workspace_id === workspaceId && !key.disabled && !isExpired) {
      throw new InvalidRequest(
        `The workspace has active keys, such as "${key.name}" (${key.label}); disable or delete them first`,
      );
    }
  }
}

const closeAccount = (table: string, workspaceId: string) => ({
  Update: {
    TableName: table,
    Key: { account: workspaceAccount(workspaceId) },
    UpdateExpression: 'SET #closed = :true',
    ConditionExpression: 'attribute_not_exists(#open_jobs) OR #open_jobs = :none',
    ExpressionAttributeNames: { '#closed': 'closed', '#open_jobs': 'open_jobs' },
    ExpressionAttributeValues: { ':true': true, ':none': 0 },
  },
});
