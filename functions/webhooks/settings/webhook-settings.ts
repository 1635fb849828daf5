import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { conditionFailed } from '../../aws/dynamo-writes.ts';
import type { WebhookEvent } from '../events/event.ts';

/**
 * A workspace's webhook settings. Secrets are not stored: a key that never leaves KMS derives each from its version
 * number, so nobody can sign with a copy of this table.
 */
const settingsSchema = v.object({
  default_callback_url: v.nullable(v.string()),
  /** Why nothing is sent to the default any more, until somebody sets it again. */
  disabled: v.nullable(v.object({ reason: v.picklist(['gone', 'failing']), at: v.string() })),
  secret_version: v.number(),
  /** Until when the previous version signs too, in milliseconds since the epoch. */
  previous_secret_until: v.number(),
});
export type WebhookSettings = v.InferOutput<typeof settingsSchema>;
type Disabled = NonNullable<WebhookSettings['disabled']>;
/** `gone`: it answered 410. `failing`: it took nothing for days. */
export type DisabledReason = Disabled['reason'];

/** The settings of a workspace that has never set anything. */
const UNSET: WebhookSettings = {
  default_callback_url: null,
  disabled: null,
  secret_version: 1,
  previous_secret_until: 0,
};

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

  /** Enables the address too, even if it is the same as before. */
  async setDefaultCallbackUrl(workspaceId: string, url: string | null): Promise<WebhookSettings> {
    const { Attributes } = await this.#client.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: { workspace_id: workspaceId },
        UpdateExpression: 'SET default_callback_url = :url REMOVE disabled',
        ExpressionAttributeValues: { ':url': url },
        ReturnValues: 'ALL_NEW',
      }),
    );
    return v.parse(settingsSchema, { ...UNSET, ...Attributes });
  }

  /**
   * Removes what a deleted workspace has set. The version stays, so that events that are still on their way are signed.
   */
  async clear(workspaceId: string): Promise<void> {
    try {
      await this.#client.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: { workspace_id: workspaceId },
          UpdateExpression: 'REMOVE default_callback_url, disabled',
          ConditionExpression: 'attribute_exists(workspace_id)',
        }),
      );
    } catch (error) {
      if (!conditionFailed(error)) throw error;
    }
  }

  /** Only if `url` is still the default: an address set since then has done nothing wrong. */
  async disableDefault(workspaceId: string, url: string, disabled: Disabled): Promise<void> {
    try {
      await this.#client.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: { workspace_id: workspaceId },
          UpdateExpression: 'SET disabled = :disabled',
          ConditionExpression: 'default_callback_url = :url AND attribute_not_exists(disabled)',
          ExpressionAttributeValues: { ':disabled': disabled, ':url': url },
        }),
      );
    } catch (error) {
      if (!conditionFailed(error)) throw error;
    }
  }

  /** The next secret signs from now on; the previous one signs beside it until `overlapUntil`. */
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

/** The address of an event: the job's own, or else the workspace's default, unless that is disabled. */
export function addressOf(
  { callback_url: own }: Pick<WebhookEvent, 'callback_url'>,
  { default_callback_url: byDefault, disabled }: WebhookSettings,
): string | null {
  return own ?? (disabled === null ? byDefault : null);
}
