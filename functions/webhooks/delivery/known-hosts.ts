import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { removeSome } from '../../aws/dynamo-writes.ts';
import { HOSTS_BY_WORKSPACE } from '../../tables.ts';

/** The rows that name hosts to which workspaces send: their lanes, and their failures. */
export class KnownHosts {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * Removes as many rows of a deleted workspace as one call takes. Those of older versions are not found; they expire
   * after 30 days at most.
   * @returns false when there were none
   */
  removeSome(workspaceId: string): Promise<boolean> {
    return removeSome(this.#client, {
      TableName: this.#table,
      IndexName: HOSTS_BY_WORKSPACE,
      KeyConditionExpression: 'workspace_id = :workspace',
      ExpressionAttributeValues: { ':workspace': workspaceId },
      ProjectionExpression: 'id',
    });
  }
}
