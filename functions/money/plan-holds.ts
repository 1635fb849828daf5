import { type ApiError, invalidKey, NotFound } from '../http/errors.ts';
import { type Account, CREDITS, currentCount, findShortfall, isClosed, isOfKey } from './account.ts';
import { type Charge, counts, type Hold, holdOf } from './hold.ts';
import { notAffordable } from './payment-required.ts';
import { eachInterval } from './period.ts';

export interface HoldPlan {
  readonly at: Date;
  readonly holds: readonly { readonly account: Account; readonly hold: Hold }[];
  /** The accounts as they are once the holds are taken. */
  readonly after: readonly Account[];
  /** Why these accounts, as they were read, do not allow it. */
  readonly obstacle: ApiError | undefined;
}

/**
 * What a job would hold in each account. Credits that nobody has ever granted are not enforced.
 * @param charges what it may cost, of which it will cost one
 */
export function planHolds(accounts: readonly Account[], charges: readonly Charge[], now: Date): HoldPlan {
  const charged = accounts.filter(
    ({ account, limits }) => account !== CREDITS || limits.lifetime !== undefined,
  );
  const plans = charged.map((account) => ({ account, hold: holdOf(account, charges, now) }));
  return {
    at: now,
    holds: plans,
    after: accounts.map((account) => {
      const plan = plans.find((each) => each.account === account);
      return plan === undefined ? account : afterHold(account, plan.hold, now);
    }),
    obstacle: plans.map((plan) => findObstacle(plan.account, plan.hold, charges, now)).find((each) => each),
  };
}

function afterHold(account: Account, { micros, periods }: Hold, now: Date): Account {
  const counts = eachInterval((interval) => {
    const { spent, byok, committed } = currentCount(account, interval, now);
    return { period: periods[interval], committed: committed + micros, spent, byok };
  });
  return { ...account, ...counts, reserved: account.reserved + micros, open_jobs: account.open_jobs + 1 };
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
  if (!charges.some((charge) => counts(charge, hold))) return undefined;
  const shortfall = findShortfall(account, hold.micros, now);
  return shortfall && notAffordable(shortfall, hold.micros, now);
}
