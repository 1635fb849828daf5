import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** Marked as pure, as all clients are, so that a bundle leaves out those that its function does not call. */
export const dynamo = /* @__PURE__ */ DynamoDBDocumentClient.from(
  /* @__PURE__ */ new DynamoDBClient({ maxAttempts: 3 }),
  { marshallOptions: { removeUndefinedValues: true } },
);
