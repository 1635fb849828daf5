import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { conditionFailed } from '../aws/conditions.ts';
import { transact } from '../aws/transact.ts';
import { workspaceAccount } from '../money/account.ts';
import { AccountStore } from '../money/account-store.ts';
import { limitsUpdate, withLimit } from '../money/limits.ts';
import type { Interval } from '../money/period.ts';
import { noteByokInBudgets } from '../workspaces/workspace-rows.ts';
import { assertBudgetsGrow } from './budget.ts';

export interface BudgetChange {
  readonly interval: Interval;
  /** Undefined takes the budget away. */
  readonly micros: number | undefined;
  readonly includeByok: boolean | undefined;
}

export interface ChangeBudgetPorts {
  readonly client: DynamoDBDocumentClient;
  readonly tables: { readonly accounts: string; readonly workspaces: string };
  readonly now: () => Date;
}

const ATTEMPTS = 10;

/**
 * Sets or takes away one budget of a workspace. When somebody else was quicker with another, theirs is read
 * and ours checked against it: the order of budgets holds at every moment.
 * @throws InvalidRequest
 */
export async function changeBudget(
  workspaceId: string,
  { interval, micros, includeByok }: BudgetChange,
  { client, tables, now }: ChangeBudgetPorts,
): Promise<void> {
  const accounts = new AccountStore(client, tables.accounts);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const account = await accounts.readOne(workspaceAccount(workspaceId));
    const limits = withLimit(account, interval, micros, now());
    assertBudgetsGrow(limits);
    const change = { limits, countsByok: includeByok ?? account.counts_byok };
    const setLimits = { Update: { TableName: tables.accounts, ...limitsUpdate(account, change) } };
    const note = noteByokInBudgets(tables.workspaces, workspaceId, change.countsByok);
    try {
      return await transact(client, includeByok === undefined ? [setLimits] : [setLimits, note]);
    } catch (error) {
      if (!conditionFailed(error)) throw error;
    }
  }
  throw new Error(`the budgets of ${workspaceId} changed ${ATTEMPTS} times while one was being changed`);
}
