import { PaymentRequired } from '../../http/errors.ts';
import { type Account, CREDITS, leftOf } from '../../money/account.ts';
import { counts, planHolds } from '../../money/hold.ts';
import { least, microsToUsd } from '../../money/micros.ts';
import { type AcceptPorts, accountsOf, chargesOf } from './accept-job.ts';
import type { Job } from './job.ts';
import { pricesOf } from './job-view.ts';

/**
 * What a job would hold, and whether that fits into the key's limit, the workspace's budgets and the credits as they
 * are. Nothing is stored.
 * @throws what else would refuse a submit, other than money
 */
export async function estimateJob(
  job: Job,
  { accounts: store, book, now }: Pick<AcceptPorts, 'accounts' | 'book' | 'now'>,
) {
  const { accounts } = await book.read(accountsOf(job));
  const charges = chargesOf(job);
  const asked = await withAllCredits(accounts, store, now());
  const { obstacle, holds } = planHolds(asked, charges, now());
  if (obstacle !== undefined && !(obstacle instanceof PaymentRequired)) throw obstacle;
  const counting = holds
    .filter(({ hold }) => charges.some((charge) => counts(charge, hold)))
    .map(({ account }) => account);
  const prices = pricesOf(job);
  return {
    ...prices,
    cost: prices.max_cost,
    currency: 'USD',
    fits: obstacle === undefined,
    remaining: remaining(counting, now()),
  };
}

/**
 * The accounts as if all leases were called back for this submit. All credits as one account come last, because
 * `planHolds` counts only the last account of credits.
 */
async function withAllCredits(
  accounts: readonly Account[],
  { leases }: AcceptPorts['accounts'],
  now: Date,
): Promise<readonly Account[]> {
  const pool = accounts.find(({ account }) => account === CREDITS);
  if (pool?.limits.lifetime === undefined) return accounts;
  return [...accounts, await leases.whole(now)];
}

/** The least that any limit leaves; null where there is no limit. */
function remaining(accounts: readonly Account[], now: Date): number | null {
  const [first, ...others] = accounts.flatMap((account) => leftOf(account, now));
  return first === undefined ? null : microsToUsd(least(first, ...others));
}
