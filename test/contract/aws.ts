import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { kmsDerivation } from '../../functions/aws/derive-bytes.ts';
import { type CalledSubmit, callbackToken } from '../../functions/videos/callbacks/callback-token.ts';
import { deploymentKey } from '../../functions/webhooks/signature.ts';
import { deployedFunctions } from '../deployed/deployed-functions.ts';
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

/** What the stage would give a provider to call back with. */
export async function callbackTokenOf(submit: CalledSubmit): Promise<string> {
  const submitter = (await deployedFunctions(stage.aws)).get('submit-jobs');
  const { SIGNING_KEY_ID: keyId = '' } = submitter?.Environment?.Variables ?? {};
  return callbackToken(submit, await deploymentKey(kmsDerivation(new KMSClient(stage.aws), keyId)));
}
