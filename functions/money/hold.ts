import * as v from 'valibot';
import { type ApiError, invalidKey, NotFound } from '../http/errors.ts';
import {
  type Account,
  CREDITS,
  currentCount,
  currentPeriod,
  findShortfall,
  isClosed,
  isOfKey,
} from './account.ts';
import { isLease, isOpenLease } from './lease.ts';
import { type Micros, micros, microsSchema, most, plus } from './micros.ts';
import { notAffordable } from './payment-required.ts';
import { eachInterval } from './period.ts';

/** Money that one job holds in one account until it ends. It is stored with the job, so that it ends exactly once. */
export const holdSchema = v.object({
  account: v.string(),
  /** 0 where the job does not count against the account's limits. */
  micros: microsSchema,
  /** Whether a job on the caller's own provider key counts against the account's limits; rows of earlier versions do not say. */
  counts_byok: v.optional(v.boolean(), false),
  /** The periods in which it was counted. */
  periods: v.object(eachInterval(() => v.string())),
});
export type Hold = Readonly<v.InferOutput<typeof holdSchema>>;

export interface Charge {
  readonly micros: Micros;
  /** The job runs on the caller's own provider key. */
  readonly isByok: boolean;
}

/** Whether a job counts against the limits of an account. */
export const counts = ({ isByok }: Charge, { counts_byok }: Pick<Hold, 'counts_byok'>): boolean =>
  !isByok || counts_byok;

/** @param charges what the job may cost; it will cost one of them, and the highest that counts is held */
export function holdOf(account: Account, charges: readonly Charge[], now: Date): Hold {
  const counted = charges.filter((charge) => counts(charge, account));
  return {
    account: account.account,
    micros: most(micros(0), ...counted.map((charge) => charge.micros)),
    counts_byok: account.counts_byok,
    periods: eachInterval((interval) => currentPeriod(account, interval, now)),
  };
}

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
