import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { issueKey } from '../functions/keys/key.ts';
import { KeyStore } from '../functions/keys/key-store.ts';
import { DEFAULT_WORKSPACE_ID, defaultWorkspace } from '../functions/workspaces/default-workspace.ts';
import { SlugTaken, WorkspaceStore } from '../functions/workspaces/workspace-store.ts';
import type { AwsAccess } from './aws-access.ts';
import type { StackOutputs } from './outputs.ts';

/** The first management key of a deployment and the workspace that it acts in, written straight to the tables. */
export async function createFirstKey(access: AwsAccess, outputs: StackOutputs, now: Date): Promise<string> {
  const client = new DynamoDBClient({ ...access });
  const documents = DynamoDBDocumentClient.from(client);
  try {
    const request = { workspaceId: DEFAULT_WORKSPACE_ID, creatorUserId: null, expiresAt: null };
    const { key, stored } = issueKey(
      { kind: 'management', name: 'Local management key', ...request },
      now,
      randomBytes,
    );
    await createDefaultWorkspace(new WorkspaceStore(documents, outputs.WorkspacesTable), now, stored.hash);
    await new KeyStore(documents, outputs.KeysTable).create(stored);
    return key;
  } finally {
    client.destroy();
  }
}

/** It is there already where only the keys' file was lost. */
async function createDefaultWorkspace(store: WorkspaceStore, now: Date, createdBy: string): Promise<void> {
  try {
    await store.create(defaultWorkspace(now, createdBy));
  } catch (error) {
    if (!(error instanceof SlugTaken)) throw error;
  }
}
