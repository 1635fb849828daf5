import {
  BatchGetCommand,
  type BatchGetCommandOutput,
  type DynamoDBDocumentClient,
} from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type Account, accountSchema, emptyAccount } from './account.ts';

export class AccountStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async readOne(id: string): Promise<Account> {
    const [account] = await this.read([id]);
    return account ?? emptyAccount(id);
  }

  /** Consistent, in the order of the ids; an account without a row is an empty one. */
  async read(ids: readonly string[]): Promise<Account[]> {
    const rows: Account[] = [];
    let keys: Record<string, unknown>[] | undefined = ids.map((account) => ({ account }));
    while (keys !== undefined && keys.length > 0) {
      const { Responses, UnprocessedKeys }: BatchGetCommandOutput = await this.#client.send(
        new BatchGetCommand({ RequestItems: { [this.#table]: { Keys: keys, ConsistentRead: true } } }),
      );
      rows.push(...v.parse(v.array(accountSchema), Responses?.[this.#table] ?? []));
      keys = UnprocessedKeys?.[this.#table]?.Keys;
    }
    return ids.map((id) => rows.find(({ account }) => account === id) ?? emptyAccount(id));
  }
}
