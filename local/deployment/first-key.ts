import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { GuardrailStore } from '../../functions/guardrails/guardrail-store.ts';
import { createManagementKey } from '../../functions/keys/create-management-key.ts';
import { KeyStore } from '../../functions/keys/key-store.ts';
import { ListStore } from '../../functions/lists/list-store.ts';
import { AccountStore } from '../../functions/money/account-store.ts';
import { WorkspaceStore } from '../../functions/workspaces/workspace-store.ts';
import type { AwsAccess } from '../emulator/aws-access.ts';
import type { StackOutputs } from './outputs.ts';

/** Creates the first management key of the deployment, in the same way as `npm run admin`. */
export async function createFirstKey(access: AwsAccess, outputs: StackOutputs, now: Date): Promise<string> {
  const client = new DynamoDBClient({ ...access });
  const dynamo = DynamoDBDocumentClient.from(client);
  const stores = {
    keys: new KeyStore(dynamo, outputs.KeysTable),
    accounts: new AccountStore(dynamo, outputs.AccountsTable),
    workspaces: new WorkspaceStore(dynamo, outputs.WorkspacesTable),
    guardrails: new GuardrailStore(dynamo, outputs.GuardrailsTable),
    lists: new ListStore(dynamo, outputs.ListsTable, randomUUID),
  };
  try {
    return await createManagementKey(stores, 'Local management key', now);
  } finally {
    client.destroy();
  }
}
