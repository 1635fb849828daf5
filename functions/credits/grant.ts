import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { conditionFailed } from '../aws/conditions.ts';
import { type TransactItem, transact } from '../aws/transact.ts';
import { type Account, CREDITS } from '../money/account.ts';
import { AccountStore } from '../money/account-store.ts';
import { limitsUpdate, withLimit } from '../money/limits.ts';

const ATTEMPTS = 10;

export interface Grant {
  readonly micros: number;
  readonly note: string | null;
  /** The hash of the key that granted, or who else did. */
  readonly grantedBy: string;
}

export interface GrantPorts {
  readonly client: DynamoDBDocumentClient;
  readonly accountsTable: string;
  readonly now: () => Date;
  readonly newId: () => string;
}

/**
 * Adds to the deployment's credits, from the first grant on the limit of all that jobs may cost together,
 * and keeps a row that says who did, and why.
 * @param alsoWrite what belongs to the same transaction, given the credits as they will be
 */
export async function grantCredits(
  grant: Grant,
  alsoWrite: (credits: Account) => readonly TransactItem[],
  { client, accountsTable, now, newId }: GrantPorts,
): Promise<Account> {
  const accounts = new AccountStore(client, accountsTable);
  const record = {
    account: `grant#${newId()}`,
    micros: grant.micros,
    note: grant.note,
    granted_by: grant.grantedBy,
    granted_at: now().toISOString(),
  };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = await accounts.readOne(CREDITS);
    const total = (before.limits.lifetime?.micros ?? 0) + grant.micros;
    const change = { limits: withLimit(before, 'lifetime', total, now()), countsByok: before.counts_byok };
    const credits = { ...before, limits: change.limits };
    const addCredits = { Update: { TableName: accountsTable, ...limitsUpdate(before, change) } };
    try {
      await transact(client, [
        addCredits,
        { Put: { TableName: accountsTable, Item: record } },
        ...alsoWrite(credits),
      ]);
      return credits;
    } catch (error) {
      if (!conditionFailed(error, 0)) throw error;
    }
  }
  throw new Error(`the credits changed ${ATTEMPTS} times while some were being granted`);
}
