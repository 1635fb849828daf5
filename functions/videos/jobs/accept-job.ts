import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type NamedItems, refusedBy, TransactionRefused, transact } from '../../aws/dynamo-writes.ts';
import { jitteredPause } from '../../aws/jittered-pause.ts';
import { retryOnConflict } from '../../aws/retry.ts';
import { ApiError } from '../../http/errors.ts';
import {
  type Account,
  CREDITS,
  guardrailAccount,
  keyAccount,
  workspaceAccount,
} from '../../money/account.ts';
import type { AccountBook } from '../../money/account-book.ts';
import type { AccountStore } from '../../money/account-store.ts';
import { type Charge, type HoldPlan, planHolds } from '../../money/hold.ts';
import { type Borrowing, leaseAccount } from '../../money/lease.ts';
import { withLoans } from '../../money/lease-update.ts';
import { tooManySubmits } from '../../money/payment-required.ts';
import type { Job, JobWithRequest } from './job.ts';
import type { JobStore } from './job-store.ts';

export interface AcceptPorts {
  readonly client: DynamoDBDocumentClient;
  readonly jobs: Pick<JobStore, 'insertion'>;
  readonly accounts: Pick<AccountStore, 'hold' | 'leases'>;
  readonly book: Pick<AccountBook, 'look' | 'read' | 'learn'>;
  readonly now: () => Date;
}

/** An attempt fails because it used rows read long ago, or because another submit changed them first. */
const ATTEMPTS = 16;
/** The first attempts follow each other at once: on rows read long ago, on fresh ones, and on all leases. */
const ATTEMPTS_AT_ONCE = 3;
const FIRST_PAUSE_MILLISECONDS = 50;
const LONGEST_PAUSE_MILLISECONDS = 800;
/** No attempt begins after this long: the caller must still get an answer in time. */
const PATIENCE_MILLISECONDS = 6_000;

/**
 * Writes a new job and holds the most that it may cost, in the accounts of the key, the workspace, its guardrail and
 * the credits, all or nothing. However submits interleave, no money is spent twice, and no hold is left without a job.
 *
 * @param alsoWrite further items of the same transaction
 * @throws PaymentRequired when the estimate does not fit
 * @throws TransactionRefused when a condition of `alsoWrite` does not hold
 */
export async function acceptJob(
  job: JobWithRequest,
  alsoWrite: NamedItems,
  ports: AcceptPorts,
): Promise<JobWithRequest> {
  return withRoom(job, ports, async (plan, borrowing) => {
    const accepted = await tryToAccept(job, { plan, borrowing }, alsoWrite, ports);
    if (accepted !== undefined) ports.book.learn(accountsOf(job), plan.after);
    return accepted;
  });
}

/**
 * Plans with the accounts as they were last read, and if those are out of date, with fresh ones.
 * @param use returns undefined when an account has changed since it was read
 * @throws an obstacle that is seen in accounts just read
 */
async function withRoom<T>(
  job: Job,
  { book, accounts: store, now }: Pick<AcceptPorts, 'book' | 'accounts' | 'now'>,
  use: (plan: HoldPlan, borrowing?: Borrowing) => Promise<T | undefined>,
): Promise<T> {
  const ids = accountsOf(job);
  const charges = chargesOf(job);
  const end = now().getTime() + PATIENCE_MILLISECONDS;
  let attempts = 0;
  const look = async () => {
    if (attempts >= ATTEMPTS_AT_ONCE) {
      if (now().getTime() > end) throw tooManySubmits();
      const doubled = FIRST_PAUSE_MILLISECONDS * 2 ** (attempts - ATTEMPTS_AT_ONCE);
      await jitteredPause(Math.min(LONGEST_PAUSE_MILLISECONDS, doubled));
    }
    return attempts++ === 0 ? book.look(ids) : book.read(ids);
  };
  const attempt = async () => {
    const { accounts, isFresh } = await look();
    const plan = planHolds(accounts, charges, now());
    if (plan.obstacle !== undefined) {
      if (isFresh) throw plan.obstacle;
    } else if (plan.shortLease !== undefined) {
      const borrowing = isFresh ? await findLoans(plan, accounts, store, now()) : undefined;
      if (borrowing !== undefined) return use(planUpon(borrowing, accounts, charges, now()), borrowing);
    } else {
      return use(plan);
    }
    return undefined;
  };
  return retryOnConflict(ATTEMPTS, attempt, tooManySubmits);
}

function planUpon(
  borrowing: Borrowing,
  accounts: readonly Account[],
  charges: readonly Charge[],
  now: Date,
): HoldPlan {
  const lease = withLoans(borrowing, now);
  const lent = accounts.map((each) => (each.account === lease.account ? lease : each));
  return planHolds(lent, charges, now);
}

async function findLoans(
  { holds, shortLease }: HoldPlan,
  accounts: readonly Account[],
  { leases }: AcceptPorts['accounts'],
  now: Date,
): Promise<Borrowing | undefined> {
  const pool = accounts.find(({ account }) => account === CREDITS);
  const hold = holds.find(({ account }) => account === shortLease)?.hold;
  if (pool === undefined || shortLease === undefined || hold === undefined) return undefined;
  return leases.findLoans(shortLease, pool, hold.micros, now);
}

/** Whether `acceptJob` has certainly not written the job. After any other error it may have. */
export function wasNotAccepted(error: unknown): boolean {
  if (error instanceof TransactionRefused) return !refusedBy(error, 'job');
  return error instanceof ApiError;
}

/**
 * Checks the accounts as `acceptJob` will, before anything is stored for the job. `acceptJob` can then use what is read
 * here.
 * @throws PaymentRequired, and any other obstacle
 */
export async function assertAffordable(
  job: Job,
  ports: Pick<AcceptPorts, 'book' | 'accounts' | 'now'>,
): Promise<void> {
  await withRoom(job, ports, async (plan) => plan);
}

export const accountsOf = (job: Job) => [
  keyAccount(job.key_hash),
  workspaceAccount(job.workspace_id),
  ...(job.guardrail_id === undefined ? [] : [guardrailAccount(job.guardrail_id)]),
  CREDITS,
  leaseAccount(job.workspace_id),
];
/** What it may cost at each place that it may come to. */
export const chargesOf = (job: Job) =>
  [job, ...job.alternatives].map(({ estimate_micros, is_byok }) => ({
    micros: estimate_micros,
    isByok: is_byok,
  }));

/** Undefined when an account has changed since it was read. */
async function tryToAccept(
  job: JobWithRequest,
  { plan, borrowing }: { readonly plan: HoldPlan; readonly borrowing: Borrowing | undefined },
  alsoWrite: NamedItems,
  { client, jobs, accounts }: AcceptPorts,
): Promise<JobWithRequest | undefined> {
  const { at, holds } = plan;
  const accepted = { ...job, holds: holds.map(({ hold }) => hold) };
  const taking = ({ account, hold }: HoldPlan['holds'][number]) =>
    borrowing?.lease.account === account.account
      ? accounts.leases.borrow(borrowing, hold, at)
      : accounts.hold(account, hold, at);
  try {
    await transact(client, {
      ...alsoWrite,
      job: jobs.insertion(accepted),
      account: holds.flatMap(taking),
    });
    return accepted;
  } catch (error) {
    const isAboutMore = refusedBy(error, 'job', ...Object.keys(alsoWrite));
    if (isAboutMore || !refusedBy(error, 'account')) throw error;
    return undefined;
  }
}
