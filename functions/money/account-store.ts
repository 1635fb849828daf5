import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet } from '../aws/batch-get.ts';
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
    const keys = ids.map((account) => ({ account }));
    const rows = v.parse(v.array(accountSchema), await batchGet(this.#client, this.#table, keys));
    return ids.map((id) => rows.find(({ account }) => account === id) ?? emptyAccount(id));
  }
}
