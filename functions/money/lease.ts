import { isDeepStrictEqual } from 'node:util';
import { type Account, CREDITS, currentCount } from './account.ts';
import { least, type Micros, micros, minus, most, times, total } from './micros.ts';

/** All credits: the pool, which is lent to nobody, and the leases of workspaces. */
export interface CreditRows {
  readonly pool: Account;
  readonly leases: readonly Account[];
}

/** What moves into a lease from one account. */
export interface Loan {
  readonly from: Account;
  readonly micros: Micros;
}

/** A lease that gets more, and its lenders. */
export interface Borrowing {
  readonly lease: Account;
  readonly loans: readonly Loan[];
}

/** A block pays for at least so many jobs like the one that asks. */
const JOBS_A_BLOCK = 32;

/** A block is at least this part of the pool, so that blocks need no setting and grow with the pool. */
const BLOCKS_A_POOL = 64;

/** One transaction writes a hundred rows; the rest is for the job and its other accounts. */
const MOST_LENDERS = 90;

const LEASE = 'lease#';
export const leaseAccount = (workspaceId: string) => `${LEASE}${workspaceId}`;
export const holderOf = ({ account }: Pick<Account, 'account'>) => account.slice(LEASE.length);
export const isLease = ({ account }: Pick<Account, 'account'>): boolean => account.startsWith(LEASE);

/** A lease without a limit has not begun, or has been given back. */
export const isOpenLease = ({ limits }: Account): boolean => limits.lifetime !== undefined;

export const lentTo = ({ limits }: Account): Micros => limits.lifetime?.micros ?? micros(0);

export const lentBy = (loans: readonly Loan[]): Micros => total(loans, (loan) => loan.micros);

/** Less than zero where a correction has found more held than was lent. */
export const unused = (account: Account): Micros =>
  minus(lentTo(account), account.lifetime?.committed ?? micros(0));

export const allUnused = ({ pool, leases }: CreditRows): Micros => total([pool, ...leases], unused);

/**
 * The most that all rows together had unused at the moment after `first` was read and before `second` was. A row on
 * which jobs only began, or only ended, has a certain value; any other makes it Infinity.
 */
export function mostUnusedBetween(first: CreditRows, second: CreditRows): number {
  const isSameList = isDeepStrictEqual(
    [first.pool, ...first.leases.map(({ account }) => account)],
    [second.pool, ...second.leases.map(({ account }) => account)],
  );
  if (!isSameList) return Number.POSITIVE_INFINITY;
  const ofLeases = first.leases.map((lease, place) => mostUnusedOf(lease, second.leases[place] ?? lease));
  return unused(first.pool) + sum(ofLeases, (most) => most);
}

/**
 * A hold takes from what is unused, and an end adds to it. If there were only holds, or only ends, no moment between
 * had more than the larger of the two.
 */
function mostUnusedOf(before: Account, after: Account): number {
  const moves = after.moves - before.moves;
  const opened = after.open_jobs - before.open_jobs;
  const isOneWay = before.limits_version === after.limits_version && Math.abs(opened) === moves;
  return isOneWay ? Math.max(unused(before), unused(after)) : Number.POSITIVE_INFINITY;
}

/**
 * Where a lease gets what it lacks. If the pool has enough, it lends a block. Otherwise the rest of the pool and of
 * other leases is taken, the largest first, so that few of them are touched.
 */
export function planLoans({ pool, leases }: CreditRows, lease: Account, amount: Micros): Loan[] {
  const lacking = minus(amount, unused(lease));
  if (lacking <= 0) return [];
  const left = unused(pool);
  if (left >= lacking) {
    const block = most(lacking, times(amount, JOBS_A_BLOCK), micros(Math.floor(left / BLOCKS_A_POOL)));
    return [{ from: pool, micros: least(left, block) }];
  }
  return callBack([pool, ...leases.filter(({ account }) => account !== lease.account)], lacking);
}

/**
 * A lender that has enough lends at least half of it, so that the next job of the same workspace need not ask again.
 */
function callBack(lenders: readonly Account[], lacking: Micros): Loan[] {
  const loans: Loan[] = [];
  let missing = lacking;
  for (const from of lenders.toSorted((one, other) => unused(other) - unused(one))) {
    const left = unused(from);
    if (missing <= 0 || left <= 0 || loans.length === MOST_LENDERS) break;
    const lent = left < missing ? left : most(missing, micros(Math.floor(left / 2)));
    loans.push({ from, micros: lent });
    missing = minus(missing, lent);
  }
  return loans;
}

/** The credits as one account, as if nothing were lent. */
export function wholeCredits({ pool, leases }: CreditRows, now: Date): Account {
  const all = [pool, ...leases];
  const counts = all.map((account) => currentCount(account, 'lifetime', now));
  const { period } = currentCount(pool, 'lifetime', now);
  return {
    ...pool,
    account: CREDITS,
    leased: micros(0),
    reserved: total(all, ({ reserved }) => reserved),
    open_jobs: sum(all, ({ open_jobs }) => open_jobs),
    lifetime: {
      period,
      committed: minus(
        total(counts, ({ committed }) => committed),
        pool.leased,
      ),
      spent: total(counts, ({ spent }) => spent),
      byok: total(counts, ({ byok }) => byok),
    },
  };
}

export const sum = <T>(all: readonly T[], numberOf: (each: T) => number): number =>
  all.reduce((soFar, each) => soFar + numberOf(each), 0);
