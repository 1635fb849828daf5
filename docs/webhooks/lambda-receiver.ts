import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { LambdaFunctionURLEvent, LambdaFunctionURLResult } from 'aws-lambda';
import { verifyWebhook } from './verify.ts';

// Several of them, separated by spaces, while a rotation is under way.
const secrets = (process.env.GENWAY_WEBHOOK_SECRETS ?? '').split(' ').filter(Boolean);
const TableName = process.env.EVENTS_TABLE;
const table = DynamoDBDocumentClient.from(new DynamoDBClient());
const KEEP_SECONDS = 7 * 24 * 3600;

/** Behind a function URL or an HTTP API. Writes the event down; the table's stream starts the work. */
export async function handler(event: LambdaFunctionURLEvent): Promise<LambdaFunctionURLResult> {
  const rawBody = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  try {
    verifyWebhook(rawBody, event.headers, secrets);
  } catch {
    return { statusCode: 401 };
  }
  const Item = {
    id: event.headers['webhook-id'],
    body: rawBody.toString(),
    expires_at: Math.floor(Date.now() / 1000) + KEEP_SECONDS,
  };
  try {
    await table.send(new PutCommand({ TableName, Item, ConditionExpression: 'attribute_not_exists(id)' }));
  } catch (error) {
    // The same webhook-id may come again; it is written down, and worked on, once.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
  return { statusCode: 204 };
}
