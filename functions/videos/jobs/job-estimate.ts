import { PaymentRequired } from '../../http/errors.ts';
import { type Account, leftOf } from '../../money/account.ts';
import { counts } from '../../money/hold.ts';
import { microsToUsd } from '../../money/micros.ts';
import { planHolds } from '../../money/plan-holds.ts';
import { type AcceptPorts, accountsOf, chargesOf } from './accept-job.ts';
import type { Job } from './job.ts';

/**
 * What a job would hold, and whether that fits the key's limit, the workspace's budgets and the credits as they
 * are. Nothing is stored.
 * @throws what stands in the way of a submit, other than money
 */
export async function estimateJob(job: Job, { book, now }: Pick<AcceptPorts, 'book' | 'now'>) {
  const { accounts } = await book.read(accountsOf(job));
  const charges = chargesOf(job);
  const { obstacle, holds } = planHolds(accounts, charges, now());
  if (obstacle !== undefined && !(obstacle instanceof PaymentRequired)) throw obstacle;
  const counting = holds
    .filter(({ hold }) => charges.some((charge) => counts(charge, hold)))
    .map(({ account }) => account);
  return {
    cost: microsToUsd(job.estimate_micros),
    currency: 'USD',
    fits: obstacle === undefined,
    remaining: remaining(counting, now()),
  };
}

/** The least that any limit leaves; null where there is none. */
function remaining(accounts: readonly Account[], now: Date): number | null {
  const left = accounts.flatMap((account) => leftOf(account, now));
  return left.length === 0 ? null : microsToUsd(Math.min(...left));
}
