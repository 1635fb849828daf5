import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { stage } from './stage.ts';

/** The stage's tables, for rows that no request can make. */
export const tables = DynamoDBDocumentClient.from(new DynamoDBClient({ ...stage.aws }));

/** The name of the table whose construct has this name. */
export async function tableNamed(construct: string): Promise<string> {
  const { TableNames = [] } = await tables.send(new ListTablesCommand({}));
  const name = TableNames.find((each) => each.includes(construct));
  if (name === undefined) throw new Error(`no table of ${construct} among ${TableNames.join(', ')}`);
  return name;
}
