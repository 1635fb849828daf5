import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { conditionFailed, oldItem, setExpression } from '../../aws/dynamo-writes.ts';
import { defined } from '../../defined.ts';
import type { WebhookEvent } from '../events/event.ts';
import { type RetiringSecret, retiringSecretSchema } from './retiring-secrets.ts';

/**
 * A workspace's webhook settings. Secrets are not stored: a key that never leaves KMS derives each from its version
 * number, so nobody can sign with a copy of this table.
 */
const rowSchema = v.object({
  default_callback_url: v.optional(v.nullable(v.string()), null),
  /** Why nothing is sent to the default any more, until somebody sets it again. */
  disabled: v.optional(
    v.nullable(v.object({ reason: v.picklist(['gone', 'failing']), at: v.string() })),
    null,
  ),
  /** Of the newest secret. */
  secret_version: v.optional(v.number(), 1),
  /** Of the rotation that made the newest secret. */
  secret_token: v.exactOptional(v.string()),
  /** Newest first; some may have ended since the last rotation. */
  retiring_secrets: v.optional(v.array(retiringSecretSchema), []),
  /** Until when the version before the newest signs, for deliverers of the release that knew only of that one. */
  previous_secret_until: v.optional(v.number(), 0),
});
type Row = v.InferOutput<typeof rowSchema>;

const settingsSchema = v.pipe(
  rowSchema,
  v.transform(({ previous_secret_until: until, retiring_secrets: retiring, ...settings }) => {
    const version = settings.secret_version - 1;
    // Where that release has rotated, the list lacks the latest one, or there is no list.
    const isListed = retiring[0]?.version === version;
    return { ...settings, retiring_secrets: isListed ? retiring : [{ version, until }, ...retiring] };
  }),
);
export type WebhookSettings = Readonly<v.InferOutput<typeof settingsSchema>>;
type Disabled = NonNullable<WebhookSettings['disabled']>;
/** `gone`: it answered 410. `failing`: it took nothing for days. */
export type DisabledReason = Disabled['reason'];

interface Rotation {
  /** Until when the secret signs that is replaced. */
  readonly until: number;
  /** Those that were replaced before and still sign. */
  readonly retiring: readonly RetiringSecret[];
  /** A new one each time. When an answer is lost, the repeated write recognises its own work by it. */
  readonly token: string;
}

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
    return v.parse(settingsSchema, Item ?? {});
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
    return v.parse(settingsSchema, Attributes ?? {});
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

  /**
   * The next secret signs from now on, and the newest of those read beside it until `until`.
   * @returns undefined when somebody else has rotated since then
   */
  async rotate(
    workspaceId: string,
    read: WebhookSettings,
    { until, retiring, token }: Rotation,
  ): Promise<WebhookSettings | undefined> {
    const replaced = { version: read.secret_version, until, ...defined({ token: read.secret_token }) };
    const changes = {
      secret_version: read.secret_version + 1,
      secret_token: token,
      retiring_secrets: [replaced, ...retiring],
    };
    const { set, names, values } = setExpression({ ...changes, previous_secret_until: until });
    try {
      await this.#client.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: { workspace_id: workspaceId },
          UpdateExpression: set,
          ConditionExpression: 'attribute_not_exists(secret_version) OR secret_version = :read',
          ExpressionAttributeNames: names,
          ExpressionAttributeValues: { ...values, ':read': read.secret_version },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
    } catch (error) {
      const row = oldItem(error, rowSchema);
      if (row === undefined) throw error;
      if (!hasMade(token, row)) return undefined;
    }
    return { ...read, ...changes };
  }
}

/** Whether a rotation is done, even if others have followed: its write was repeated because its answer was lost. */
const hasMade = (token: string, { secret_token: newest, retiring_secrets: retiring }: Row): boolean =>
  newest === token || retiring.some((secret) => secret.token === token);

/** The address of an event: the job's own, or else the workspace's default, unless that is disabled. */
export function addressOf(
  { callback_url: own }: Pick<WebhookEvent, 'callback_url'>,
  { default_callback_url: byDefault, disabled }: WebhookSettings,
): string | null {
  return own ?? (disabled === null ? byDefault : null);
}
