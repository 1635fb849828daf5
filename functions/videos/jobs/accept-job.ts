import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { conditionFailed } from '../../aws/conditions.ts';
import { type TransactItem, transact } from '../../aws/transact.ts';
import { RateLimited } from '../../http/errors.ts';
import { CREDITS, keyAccount, workspaceAccount } from '../../money/account.ts';
import type { AccountBook } from '../../money/account-book.ts';
import { type HoldPlan, planHolds } from '../../money/plan-holds.ts';
import type { Job } from './job.ts';
import { newJobRow } from './job-store.ts';

export interface AcceptPorts {
  readonly client: DynamoDBDocumentClient;
  readonly tables: { readonly jobs: string; readonly accounts: string };
  readonly accounts: Pick<AccountBook, 'look' | 'read' | 'learn'>;
  readonly now: () => Date;
}

/** Each attempt but the first was undone by another submit that succeeded in the meantime. */
const ATTEMPTS = 5;

/**
 * Writes a new job and takes its estimate from the key, the workspace and the credits, all or nothing: no
 * interleaving of submits spends the same money twice, and none leaves a hold without a job.
 *
 * @param alsoWrite what belongs to the same transaction
 * @throws PaymentRequired when the estimate does not fit
 * @throws TransactionCanceledException when a condition of `alsoWrite`, whose items come first, fails
 */
export async function acceptJob(
  job: Job,
  alsoWrite: readonly TransactItem[],
  ports: AcceptPorts,
): Promise<Job> {
  const ids = [keyAccount(job.key_hash), workspaceAccount(job.workspace_id), CREDITS];
  const charge = { micros: job.estimate_micros, isByok: job.is_byok };
  let { accounts, isFresh } = await ports.accounts.look(ids);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const plan = planHolds(accounts, charge, ports.now());
    if (plan.obstacle === undefined) {
      const accepted = await tryToAccept(job, plan, alsoWrite, ports);
      if (accepted !== undefined) {
        ports.accounts.learn(ids, plan.after);
        return accepted;
      }
    } else if (isFresh) throw plan.obstacle;
    ({ accounts, isFresh } = await ports.accounts.read(ids));
  }
  throw new RateLimited('Too many videos are being submitted at this moment; try again', {
    headers: { 'retry-after': '1' },
  });
}

/** Undefined when an account is no longer as it was read. */
async function tryToAccept(
  job: Job,
  { holds, updates }: HoldPlan,
  alsoWrite: readonly TransactItem[],
  { client, tables }: AcceptPorts,
): Promise<Job | undefined> {
  const accepted = { ...job, holds: [...holds] };
  const takeHolds = updates.map((update) => ({ Update: { TableName: tables.accounts, ...update } }));
  const first = [...alsoWrite, newJobRow(tables.jobs, accepted)];
  try {
    await transact(client, [...first, ...takeHolds]);
    return accepted;
  } catch (error) {
    const isAboutAccounts =
      conditionFailed(error) && !first.some((_, index) => conditionFailed(error, index));
    if (!isAboutAccounts) throw error;
    return undefined;
  }
}
