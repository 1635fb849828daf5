import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { answeringWithin, lean, Sha256 } from './client-settings.ts';

/** Clients are marked as pure, so that a bundle leaves out those that its function does not use. */
export const dynamo = /* @__PURE__ */ DynamoDBDocumentClient.from(
  /* @__PURE__ */ lean(
    /* @__PURE__ */ new DynamoDBClient({
      maxAttempts: 3,
      sha256: Sha256,
      requestHandler: /* @__PURE__ */ answeringWithin(2_000),
    }),
  ),
  { marshallOptions: { removeUndefinedValues: true } },
);
