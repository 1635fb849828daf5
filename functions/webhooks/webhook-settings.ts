import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';

/**
 * A workspace's webhook settings. Secrets are not kept: each is derived from its version number by a key
 * that never leaves KMS, so a copy of this table signs nothing.
 */
const settingsSchema = v.object({
  default_callback_url: v.nullable(v.string()),
  secret_version: v.number(),
  /** Until when the version before still signs too, in milliseconds since the epoch. */
  previous_secret_until: v.number(),
});
export type WebhookSettings = v.InferOutput<typeof settingsSchema>;

/** What a workspace has that never set anything. */
const UNSET: WebhookSettings = { default_callback_url: null, secret_version: 1, previous_secret_until: 0 };

export class WebhookSettingsStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async find(workspaceId: string): Promise<WebhookSettings> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { workspace_id: workspaceId }, ConsistentRead: true }),
    );
    return v.parse(settingsSchema, { ...UNSET, ...Item });
  }

  async setDefaultCallbackUrl(workspaceId: string, url: string | null): Promise<WebhookSettings> {
    const { Attributes } = await this.#client.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: { workspace_id: workspaceId },
        UpdateExpression: 'SET default_callback_url = :url',
        ExpressionAttributeValues: { ':url': url },
        ReturnValues: 'ALL_NEW',
      }),
    );
    return v.parse(settingsSchema, { ...UNSET, ...Attributes });
  }

  /** The next secret signs from now on; the one before it signs beside it until `overlapUntil`. */
  async rotateSecret(workspaceId: string, overlapUntil: number): Promise<WebhookSettings> {
    const { Attributes } = await this.#client.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: { workspace_id: workspaceId },
        UpdateExpression:
          'SET secret_version = if_not_exists(secret_version, :first) + :one, previous_secret_until = :until',
        ExpressionAttributeValues: { ':first': UNSET.secret_version, ':one': 1, ':until': overlapUntil },
        ReturnValues: 'ALL_NEW',
      }),
    );
    return v.parse(settingsSchema, { ...UNSET, ...Attributes });
  }
}
