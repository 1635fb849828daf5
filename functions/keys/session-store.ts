import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { conditionFailed } from '../aws/dynamo-writes.ts';
import { hashKey } from './key-format.ts';
import { scopeSchema } from './key-store.ts';

/** A session's row. The token itself is stored nowhere. */
const storedSessionSchema = v.object({
  hash: v.string(),
  key_hash: v.string(),
  created_at: v.string(),
  /** When it ends unless it is renewed. */
  valid_until: v.string(),
  /** When it ends in any case. */
  ends_at: v.string(),
  /** The person in the words of the identity provider, where one has signed in with it. */
  subject: v.exactOptional(v.string()),
  /** What the claims of the person allowed. @default the scope of the key */
  scope: v.exactOptional(scopeSchema),
});
export type StoredSession = Readonly<v.InferOutput<typeof storedSessionSchema>>;

/** Sessions of the console, by the hash of their token. Each is read from the table by every request. */
export class SessionStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** A consistent read: what has ended is found no more. */
  async find(hash: string, now: Date): Promise<StoredSession | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { hash }, ConsistentRead: true }),
    );
    const session = Item === undefined ? undefined : v.parse(storedSessionSchema, Item);
    // The table's own expiry deletes up to two days late.
    return session !== undefined && session.valid_until > now.toISOString() ? session : undefined;
  }

  async insert(session: StoredSession): Promise<void> {
    const expires_at = Math.ceil(Date.parse(session.ends_at) / 1000);
    await this.#client.send(
      new PutCommand({
        TableName: this.#table,
        Item: { ...session, expires_at },
        ConditionExpression: 'attribute_not_exists(#hash)',
        ExpressionAttributeNames: { '#hash': 'hash' },
      }),
    );
  }

  /**
   * Notes that a sign-in has used up its nonce. No token has the hash of this row.
   * @returns false if one has before
   */
  async useUp(nonce: string, until: Date): Promise<boolean> {
    try {
      await this.#client.send(
        new PutCommand({
          TableName: this.#table,
          Item: { hash: hashKey(`nonce ${nonce}`), expires_at: Math.ceil(until.getTime() / 1000) },
          ConditionExpression: 'attribute_not_exists(#hash)',
          ExpressionAttributeNames: { '#hash': 'hash' },
        }),
      );
      return true;
    } catch (error) {
      if (conditionFailed(error)) return false;
      throw error;
    }
  }

  /** @returns false for one that has ended: it never comes back */
  async renew(hash: string, until: string, now: Date): Promise<boolean> {
    try {
      await this.#client.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: { hash },
          UpdateExpression: 'SET valid_until = :until',
          ConditionExpression: 'valid_until > :now',
          ExpressionAttributeValues: { ':until': until, ':now': now.toISOString() },
        }),
      );
      return true;
    } catch (error) {
      if (conditionFailed(error)) return false;
      throw error;
    }
  }

  async remove(hash: string): Promise<void> {
    await this.#client.send(new DeleteCommand({ TableName: this.#table, Key: { hash } }));
  }
}
