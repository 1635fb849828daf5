import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { removeAll } from '../../aws/dynamo-writes.ts';
import { HOSTS_BY_WORKSPACE } from '../../tables.ts';

/** The rows that name hosts to which workspaces send: their lanes, and their failures. */
export class KnownHosts {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** Removes the rows of a deleted workspace. Those of older versions are not found; they expire after 30 days at most. */
  removeAll(workspaceId: string): AsyncGenerator<void> {
    return removeAll(this.#client, {
      TableName: this.#table,
      IndexName: HOSTS_BY_WORKSPACE,
      KeyConditionExpression: 'workspace_id = :workspace',
      ExpressionAttributeValues: { ':workspace': workspaceId },
      ProjectionExpression: 'id',
    });
  }
}
