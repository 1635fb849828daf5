import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { stage } from './stage.ts';

/** Tests send so many requests at once that some must wait for a socket. The SDK would warn of that. */
const requestHandler = { socketAcquisitionWarningTimeout: 60_000 };

export const dynamo = DynamoDBDocumentClient.from(new DynamoDBClient({ ...stage.aws, requestHandler }), {
  marshallOptions: { removeUndefinedValues: true },
});
