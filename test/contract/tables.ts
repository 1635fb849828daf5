import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { stage } from './stage.ts';

/** Writes rows that no request can create. */
export const tables = DynamoDBDocumentClient.from(new DynamoDBClient({ ...stage.aws }));

export async function tableNamed(construct: string): Promise<string> {
  const { TableNames = [] } = await tables.send(new ListTablesCommand({}));
  const name = TableNames.find((each) => each.includes(construct));
  if (name === undefined) throw new Error(`no table of ${construct} among ${TableNames.join(', ')}`);
  return name;
}
