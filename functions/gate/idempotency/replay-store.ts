import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { TransactItem } from '../../aws/transact.ts';

const rememberedSchema = v.object({
  id: v.string(),
  /** The SHA-256 of the request's body. */
  fingerprint: v.string(),
  status: v.number(),
  headers: v.record(v.string(), v.string()),
  body: v.string(),
  /** Milliseconds since the epoch. The table's own expiry deletes up to two days late. */
  until: v.number(),
});
export type Remembered = Readonly<v.InferOutput<typeof rememberedSchema>>;

/** Answers that may be given again. */
export class ReplayStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async find(id: string, now: Date): Promise<Remembered | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { id }, ConsistentRead: true }),
    );
    const remembered = Item === undefined ? undefined : v.parse(rememberedSchema, Item);
    return remembered !== undefined && remembered.until > now.getTime() ? remembered : undefined;
  }

  /** Saves an answer in the transaction that performs the change; of several equal ones only the first succeeds. */
  insertion(remembered: Remembered, now: Date): TransactItem {
    return {
      Put: {
        TableName: this.#table,
        Item: { ...remembered, expires_at: Math.ceil(remembered.until / 1000) },
        ConditionExpression: 'attribute_not_exists(id) OR #until <= :now',
        ExpressionAttributeNames: { '#until': 'until' },
        ExpressionAttributeValues: { ':now': now.getTime() },
      },
    };
  }
}
