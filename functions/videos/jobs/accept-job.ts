import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { refusedBy, TransactionRefused } from '../../aws/conditions.ts';
import { type NamedItems, transact } from '../../aws/transact.ts';
import { ApiError, RateLimited } from '../../http/errors.ts';
import { CREDITS, keyAccount, workspaceAccount } from '../../money/account.ts';
import type { AccountBook } from '../../money/account-book.ts';
import type { AccountStore } from '../../money/account-store.ts';
import { type HoldPlan, planHolds } from '../../money/plan-holds.ts';
import { retryOnConflict } from '../../retry-on-conflict.ts';
import type { Job, JobWithRequest } from './job.ts';
import type { JobStore } from './job-store.ts';

export interface AcceptPorts {
  readonly client: DynamoDBDocumentClient;
  readonly jobs: Pick<JobStore, 'insertion'>;
  readonly accounts: Pick<AccountStore, 'hold'>;
  readonly book: Pick<AccountBook, 'look' | 'read' | 'learn'>;
  readonly now: () => Date;
}

/** Each attempt but the first was undone by another submit that succeeded in the meantime. */
const ATTEMPTS = 5;

/**
 * Writes a new job and takes the most that it may cost from the key, the workspace and the credits, all or nothing: no
 * interleaving of submits spends the same money twice, and none leaves a hold without a job.
 *
 * @param alsoWrite what belongs to the same transaction
 * @throws PaymentRequired when the estimate does not fit
 * @throws TransactionRefused when a condition of `alsoWrite` does not hold
 */
export async function acceptJob(
  job: JobWithRequest,
  alsoWrite: NamedItems,
  ports: AcceptPorts,
): Promise<JobWithRequest> {
  const { book, now } = ports;
  const ids = accountsOf(job);
  const charges = chargesOf(job);
  let { accounts, isFresh } = await book.look(ids);
  const attempt = async () => {
    const plan = planHolds(accounts, charges, now());
    if (plan.obstacle === undefined) {
      const accepted = await tryToAccept(job, plan, alsoWrite, ports);
      if (accepted !== undefined) {
        book.learn(ids, plan.after);
        return accepted;
      }
    } else if (isFresh) throw plan.obstacle;
    ({ accounts, isFresh } = await book.read(ids));
    return undefined;
  };
  return retryOnConflict(ATTEMPTS, attempt, tooManySubmits);
}

/** Whether `acceptJob` failed for certain. After any other failure the job may have been written all the same. */
export function wasNotAccepted(error: unknown): boolean {
  if (error instanceof TransactionRefused) return !refusedBy(error, 'job');
  return error instanceof ApiError;
}

/**
 * Looks at the accounts as `acceptJob` will, before anything is stored for the job. What is read here, that
 * need not read again.
 * @throws PaymentRequired, and whatever else stands in the way
 */
export async function assertAffordable(
  job: Job,
  { book, now }: Pick<AcceptPorts, 'book' | 'now'>,
): Promise<void> {
  const ids = accountsOf(job);
  const { accounts, isFresh } = await book.look(ids);
  if (planHolds(accounts, chargesOf(job), now()).obstacle === undefined) return;
  const latest = isFresh ? accounts : (await book.read(ids)).accounts;
  const { obstacle } = planHolds(latest, chargesOf(job), now());
  if (obstacle !== undefined) throw obstacle;
}

export const accountsOf = (job: Job) => [
  keyAccount(job.key_hash),
  workspaceAccount(job.workspace_id),
  CREDITS,
];
/** What it costs where it is, or wherever else it may come to be. */
export const chargesOf = (job: Job) =>
  [job, ...job.alternatives].map(({ estimate_micros, is_byok }) => ({
    micros: estimate_micros,
    isByok: is_byok,
  }));

/** Undefined when an account is no longer as it was read. */
async function tryToAccept(
  job: JobWithRequest,
  { at, holds }: HoldPlan,
  alsoWrite: NamedItems,
  { client, jobs, accounts }: AcceptPorts,
): Promise<JobWithRequest | undefined> {
  const accepted = { ...job, holds: holds.map(({ hold }) => hold) };
  try {
    await transact(client, {
      ...alsoWrite,
      job: jobs.insertion(accepted),
      account: holds.map(({ account, hold }) => accounts.hold(account, hold, at)),
    });
    return accepted;
  } catch (error) {
    const isAboutMore = refusedBy(error, 'job', ...Object.keys(alsoWrite));
    if (isAboutMore || !refusedBy(error, 'account')) throw error;
    return undefined;
  }
}

const tooManySubmits = () =>
  new RateLimited('Too many videos are being submitted at this moment; try again', {
    headers: { 'retry-after': '1' },
  });
