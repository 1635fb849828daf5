import { type ApiError, invalidKey, NotFound } from '../http/errors.ts';
import { type Account, CREDITS, currentCount, findShortfall, isClosed, isOfKey } from './account.ts';
import { type Charge, counts, type Hold, holdOf } from './hold.ts';
import { isLease, isOpenLease } from './lease.ts';
import { plus } from './micros.ts';
import { notAffordable } from './payment-required.ts';
import { eachInterval } from './period.ts';

export interface HoldPlan {
  readonly at: Date;
  readonly holds: readonly { readonly account: Account; readonly hold: Hold }[];
  /** The accounts as they will be once the holds are taken. */
  readonly after: readonly Account[];
  /** Why these accounts, as they were read, do not allow the holds. */
  readonly obstacle: ApiError | undefined;
  /** The lease that must get more before the holds can be taken. */
  readonly shortLease: Account | undefined;
}

/**
 * What a job would hold in each account. Credits count only once some have been granted. Then they are held in the
 * last account of credits: the lease of the workspace, or all credits as one account.
 * @param charges what the job may cost; it will cost one of them
 */
export function planHolds(accounts: readonly Account[], charges: readonly Charge[], now: Date): HoldPlan {
  const plans = charged(accounts).map((account) => ({ account, hold: holdOf(account, charges, now) }));
  return {
    at: now,
    holds: plans,
    after: accounts.map((account) => {
      const plan = plans.find((each) => each.account === account);
      return plan === undefined ? account : afterHold(account, plan.hold, now);
    }),
    obstacle: plans.map((plan) => findObstacle(plan.account, plan.hold, charges, now)).find((each) => each),
    shortLease: plans.find(({ account, hold }) => isShortLease(account, hold, now))?.account,
  };
}

function charged(accounts: readonly Account[]): readonly Account[] {
  const isGranted = accounts.some(
    ({ account, limits }) => account === CREDITS && limits.lifetime !== undefined,
  );
  const ofCredits = accounts.findLast((each) => isLease(each) || each.account === CREDITS);
  return accounts.filter((each) =>
    isLease(each) || each.account === CREDITS ? isGranted && each === ofCredits : true,
  );
}

const isShortLease = (account: Account, { micros }: Hold, now: Date): boolean =>
  isLease(account) && (!isOpenLease(account) || findShortfall(account, micros, now) !== undefined);

function afterHold(account: Account, { micros, periods }: Hold, now: Date): Account {
  const counts = eachInterval((interval) => {
    const { spent, byok, committed } = currentCount(account, interval, now);
    return { period: periods[interval], committed: plus(committed, micros), spent, byok };
  });
  const reserved = plus(account.reserved, micros);
  return { ...account, ...counts, reserved, open_jobs: account.open_jobs + 1 };
}

function findObstacle(
  account: Account,
  hold: Hold,
  charges: readonly Charge[],
  now: Date,
): ApiError | undefined {
  if (isClosed(account, now)) {
    return isOfKey(account) ? invalidKey() : new NotFound('The workspace has been deleted');
  }
  if (isLease(account) || !charges.some((charge) => counts(charge, hold))) return undefined;
  const shortfall = findShortfall(account, hold.micros, now);
  return shortfall && notAffordable(shortfall, hold.micros, now);
}
