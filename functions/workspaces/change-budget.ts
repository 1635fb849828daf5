import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { refusedBy, transact } from '../aws/dynamo-writes.ts';
import { retryOnConflict } from '../aws/retry.ts';
import { workspaceAccount } from '../money/account.ts';
import type { AccountStore } from '../money/account-store.ts';
import { withLimit } from '../money/account-update.ts';
import type { Micros } from '../money/micros.ts';
import type { Interval } from '../money/period.ts';
import { assertBudgetsGrow } from './budget.ts';
import { workspaceNotFound } from './find-workspace.ts';
import type { WorkspaceStore } from './workspace-store.ts';

export interface BudgetChange {
  readonly interval: Interval;
  /** Undefined removes the budget. */
  readonly micros: Micros | undefined;
  readonly includeByok: boolean | undefined;
}

export interface ChangeBudgetPorts {
  readonly client: DynamoDBDocumentClient;
  readonly accounts: Pick<AccountStore, 'readOne' | 'changeLimits'>;
  readonly workspaces: Pick<WorkspaceStore, 'noteByokInBudgets'>;
  readonly now: () => Date;
}

const ATTEMPTS = 10;

/**
 * Sets or removes one budget of a workspace. If somebody else changed another one first, theirs is read and ours is
 * checked against it, so that the order of budgets holds at every moment.
 * @throws InvalidRequest, and NotFound if the workspace is deleted meanwhile
 */
export async function changeBudget(
  workspaceId: string,
  { interval, micros, includeByok }: BudgetChange,
  { client, accounts, workspaces, now }: ChangeBudgetPorts,
): Promise<void> {
  const attempt = async () => {
    const account = await accounts.readOne(workspaceAccount(workspaceId));
    const at = now();
    const limits = withLimit(account, interval, micros, at);
    assertBudgetsGrow(limits);
    const change = { limits, countsByok: includeByok ?? account.counts_byok };
    try {
      await transact(client, {
        account: accounts.changeLimits(account, change),
        workspace:
          includeByok === undefined ? undefined : workspaces.noteByokInBudgets(workspaceId, includeByok, at),
      });
      return change;
    } catch (error) {
      if (refusedBy(error, 'account')) return undefined;
      if (refusedBy(error, 'workspace')) throw workspaceNotFound();
      throw error;
    }
  };
  const exhausted = () =>
    new Error(`the budgets of ${workspaceId} changed ${ATTEMPTS} times during one update`);
  await retryOnConflict(ATTEMPTS, attempt, exhausted);
}
