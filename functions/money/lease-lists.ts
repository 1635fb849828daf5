import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet } from '../aws/dynamo-reads.ts';
import type { TransactItem } from '../aws/dynamo-writes.ts';
import { type Account, accountSchema, CREDITS, emptyAccount } from './account.ts';
import type { AccountStore } from './account-store.ts';
import { holderOf } from './lease.ts';
import { type Micros, microsSchema, total } from './micros.ts';

/** Rows that list the holders of leases, written when a lease begins or ends. Each has room for some 10,000. */
const LISTS = Array.from({ length: 16 }, (_, list) => `leases-${list}`);

const listSchema = v.object({
  account: v.string(),
  holders: v.optional(v.set(v.string()), new Set()),
  uncredited: v.optional(microsSchema, 0),
});

/** What the rows say together. */
export interface LeaseHolders {
  readonly ids: readonly string[];
  /** What jobs have cost that held no credits. */
  readonly uncredited: Micros;
}

/** Finds all leases again. What jobs cost that held no credits is counted here too, because not all jobs share one row. */
export class LeaseLists {
  readonly #client: DynamoDBDocumentClient;
  readonly #accounts: Pick<AccountStore, 'table' | 'update'>;

  constructor(client: DynamoDBDocumentClient, accounts: Pick<AccountStore, 'table' | 'update'>) {
    this.#client = client;
    this.#accounts = accounts;
  }

  async read(): Promise<LeaseHolders> {
    return holdersIn(await this.#rows(LISTS));
  }

  /** The pool is read in the same call, earlier or later than a list. */
  async readWithPool(): Promise<LeaseHolders & { readonly pool: Account }> {
    const rows = await this.#rows([CREDITS, ...LISTS]);
    const pool = rows.find(({ account }) => account === CREDITS);
    const lists = rows.filter((row) => row !== pool);
    return {
      ...holdersIn(lists),
      pool: pool === undefined ? emptyAccount(CREDITS) : v.parse(accountSchema, pool),
    };
  }

  #rows(accounts: readonly string[]) {
    return batchGet(
      this.#client,
      this.#accounts.table,
      accounts.map((account) => ({ account })),
    );
  }

  adding(lease: Account): TransactItem {
    return this.#change('ADD', holderOf(lease), 'holders', new Set([holderOf(lease)]));
  }

  removing(lease: Account): TransactItem {
    return this.#change('DELETE', holderOf(lease), 'holders', new Set([holderOf(lease)]));
  }

  countUncredited(workspaceId: string, cost: Micros): TransactItem {
    return this.#change('ADD', workspaceId, 'uncredited', cost);
  }

  #change(action: 'ADD' | 'DELETE', workspaceId: string, name: string, value: unknown): TransactItem {
    return this.#accounts.update({
      Key: { account: listOf(workspaceId) },
      UpdateExpression: `${action} #${name} :value`,
      ExpressionAttributeNames: { [`#${name}`]: name },
      ExpressionAttributeValues: { ':value': value },
    });
  }
}

function holdersIn(rows: readonly unknown[]): LeaseHolders {
  const lists = v.parse(v.array(listSchema), rows);
  return {
    ids: lists.flatMap(({ holders }) => [...holders]).toSorted(),
    uncredited: total(lists, ({ uncredited }) => uncredited),
  };
}

function listOf(workspaceId: string): string {
  let place = 0;
  for (const character of workspaceId) place = (place * 31 + character.charCodeAt(0)) % LISTS.length;
  return LISTS[place] ?? '';
}
