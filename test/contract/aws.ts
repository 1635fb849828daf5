import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { stage } from './stage.ts';

/** Tests send so many requests at once that some must wait for a socket. The SDK would warn of that. */
const requestHandler = { socketAcquisitionWarningTimeout: 60_000 };

export const dynamo = DynamoDBDocumentClient.from(new DynamoDBClient({ ...stage.aws, requestHandler }), {
  marshallOptions: { removeUndefinedValues: true },
});

/** The name of one of the stage's tables, for rows that no request can create. */
export async function tableNamed(construct: string): Promise<string> {
  const { TableNames = [] } = await dynamo.send(new ListTablesCommand({}));
  const name = TableNames.find((each) => each.includes(construct));
  if (name === undefined) throw new Error(`no table of ${construct} among ${TableNames.join(', ')}`);
  return name;
}
