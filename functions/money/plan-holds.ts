import { type ApiError, NotFound } from '../http/errors.ts';
import { type Account, CREDITS, findShortfall } from './account.ts';
import type { AccountUpdate } from './account-update.ts';
import { type Charge, type Hold, holdOf } from './hold.ts';
import { holdUpdate } from './hold-update.ts';
import { notAffordable } from './payment-required.ts';

export interface HoldPlan {
  readonly holds: readonly Hold[];
  /** One for each hold. */
  readonly updates: readonly AccountUpdate[];
  /** Why these accounts, as they were read, do not allow it. */
  readonly obstacle: ApiError | undefined;
}

/** What a job would hold in each account. Credits that nobody has ever granted are not enforced. */
export function planHolds(accounts: readonly Account[], charge: Charge, now: Date): HoldPlan {
  const charged = accounts.filter(
    ({ account, limits }) => account !== CREDITS || limits.lifetime !== undefined,
  );
  const plans = charged.map((account) => ({ account, hold: holdOf(account, charge, now) }));
  return {
    holds: plans.map(({ hold }) => hold),
    updates: plans.map(({ account, hold }) => holdUpdate(account, hold)),
    obstacle: plans.map(({ account, hold }) => findObstacle(account, hold, now)).find((each) => each),
  };
}

function findObstacle(account: Account, hold: Hold, now: Date): ApiError | undefined {
  if (account.closed) return new NotFound('The workspace of this key has been deleted');
  if (!hold.counts) return undefined;
  const shortfall = findShortfall(account, hold.micros, now);
  return shortfall && notAffordable(shortfall, hold.micros, now);
}
