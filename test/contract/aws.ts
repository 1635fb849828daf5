import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { stage } from './stage.ts';

/** So many requests at once wait for a socket on purpose. */
const requestHandler = { socketAcquisitionWarningTimeout: 60_000 };

export const dynamo = DynamoDBDocumentClient.from(new DynamoDBClient({ ...stage.aws, requestHandler }), {
  marshallOptions: { removeUndefinedValues: true },
});
