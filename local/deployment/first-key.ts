import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createManagementKey } from '../../functions/keys/create-management-key.ts';
import type { AwsAccess } from '../emulator/aws-access.ts';
import type { StackOutputs } from './outputs.ts';

/** The first management key of the deployment, made as `npm run admin` makes it. */
export async function createFirstKey(access: AwsAccess, outputs: StackOutputs, now: Date): Promise<string> {
  const client = new DynamoDBClient({ ...access });
  const tables = {
    keys: outputs.KeysTable,
    accounts: outputs.AccountsTable,
    workspaces: outputs.WorkspacesTable,
  };
  try {
    return await createManagementKey(
      DynamoDBDocumentClient.from(client),
      tables,
      'Local management key',
      now,
    );
  } finally {
    client.destroy();
  }
}
