import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { conditionFailed } from '../../aws/conditions.ts';

/** How many requests may be under way to one host, over all workspaces and function instances. */
export const SLOTS = 10;

const rowSchema = v.object({ holders: v.optional(v.set(v.string()), new Set<string>()) });

const KEPT_SECONDS = 24 * 3600;

/**
 * The slots of each host: a set of their holders, named by when they lapse, so that a crashed holder's
 * slot is found and freed by the first one that finds no other.
 */
export class SlotStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** A slot until `lapsesAt` (milliseconds since the epoch), or undefined when all are taken. */
  async take(
    host: string,
    { now, lapsesAt, token }: { readonly now: Date; readonly lapsesAt: number; readonly token: string },
  ): Promise<string | undefined> {
    const holder = `${lapsesAt}-${token}`;
    if (await this.#add(host, holder, lapsesAt)) return holder;
    const lapsed = await this.#lapsed(host, now);
    if (lapsed.length === 0) return undefined;
    await this.#remove(host, lapsed);
    return (await this.#add(host, holder, lapsesAt)) ? holder : undefined;
  }

  async free(host: string, holder: string): Promise<void> {
    await this.#remove(host, [holder]);
  }

  async #add(host: string, holder: string, lapsesAt: number): Promise<boolean> {
    try {
      await this.#client.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: keyOf(host),
          UpdateExpression: 'SET expires_at = :expires_at ADD holders :holder',
          ConditionExpression: 'attribute_not_exists(holders) OR size(holders) < :slots',
          ExpressionAttributeValues: {
            ':holder': new Set([holder]),
            ':slots': SLOTS,
            ':expires_at': Math.floor(lapsesAt / 1000) + KEPT_SECONDS,
          },
        }),
      );
      return true;
    } catch (error) {
      if (!conditionFailed(error)) throw error;
      return false;
    }
  }

  async #lapsed(host: string, now: Date): Promise<string[]> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: keyOf(host), ConsistentRead: true }),
    );
    const { holders } = v.parse(rowSchema, Item ?? {});
    return [...holders].filter((holder) => Number.parseInt(holder, 10) < now.getTime());
  }

  async #remove(host: string, holders: readonly string[]): Promise<void> {
    await this.#client.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: keyOf(host),
        UpdateExpression: 'DELETE holders :holders',
        ExpressionAttributeValues: { ':holders': new Set(holders) },
      }),
    );
  }
}

const keyOf = (host: string) => ({ id: `HOST#${host}` });
