import { isDeepStrictEqual } from 'node:util';
import { type Account, CREDITS, currentCount } from './account.ts';

/** All credits, where they lie: what nobody has been lent, and what workspaces have. */
export interface CreditRows {
  readonly pool: Account;
  readonly leases: readonly Account[];
}

/** Of one or more accounts, what moves into a lease. */
export interface Loan {
  readonly from: Account;
  readonly micros: number;
}

/** A lease that gets more, and from whom. */
export interface Borrowing {
  readonly lease: Account;
  readonly loans: readonly Loan[];
}

/** A block is at least so many jobs like the one that asks for it. */
const JOBS_A_BLOCK = 32;

/** And of a large pool this part, so that blocks need no setting and grow with what there is. */
const BLOCKS_A_POOL = 64;

/** One transaction writes a hundred rows. */
const MOST_LENDERS = 90;

const LEASE = 'lease#';
export const leaseAccount = (workspaceId: string) => `${LEASE}${workspaceId}`;
export const holderOf = ({ account }: Pick<Account, 'account'>) => account.slice(LEASE.length);
export const isLease = ({ account }: Pick<Account, 'account'>): boolean => account.startsWith(LEASE);

/** A lease without a limit is none yet, or has been given back. */
export const isOpenLease = ({ limits }: Account): boolean => limits.lifetime !== undefined;

export const lentTo = ({ limits }: Account): number => limits.lifetime?.micros ?? 0;

export const lentBy = (loans: readonly Loan[]): number => sum(loans, ({ micros }) => micros);

/** Below zero where a correction has found more held than was lent. */
export const unused = (account: Account): number => lentTo(account) - (account.lifetime?.committed ?? 0);

export const allUnused = ({ pool, leases }: CreditRows): number => sum([pool, ...leases], unused);

/**
 * The most that all rows together had unused at one moment: after `first` had read them, before `second` did. Jobs
 * that only began, or only ended, leave no doubt of a row; Infinity where one moved in a way that does.
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

/** Holds take from what is unused, and ends add to it: of only the ones, or only the others, no step exceeds both ends. */
function mostUnusedOf(before: Account, after: Account): number {
  const moves = after.moves - before.moves;
  const opened = after.open_jobs - before.open_jobs;
  const isOneWay = before.limits_version === after.limits_version && Math.abs(opened) === moves;
  return isOneWay ? Math.max(unused(before), unused(after)) : Number.POSITIVE_INFINITY;
}

/**
 * From where a lease gets what it lacks: a block of the pool, as long as that has enough; else the rest of the pool
 * and what other leases do not use, the largest first, so that as few as can be are touched.
 */
export function planLoans({ pool, leases }: CreditRows, lease: Account, micros: number): Loan[] {
  const lacking = micros - unused(lease);
  if (lacking <= 0) return [];
  const left = unused(pool);
  if (left >= lacking) {
    const block = Math.max(lacking, JOBS_A_BLOCK * micros, Math.floor(left / BLOCKS_A_POOL));
    return [{ from: pool, micros: Math.min(left, block) }];
  }
  return callBack([pool, ...leases.filter(({ account }) => account !== lease.account)], lacking);
}

/** From whoever has enough, half of it at least: the next job of the same workspace shall not ask again. */
function callBack(lenders: readonly Account[], lacking: number): Loan[] {
  const loans: Loan[] = [];
  let missing = lacking;
  for (const from of lenders.toSorted((one, other) => unused(other) - unused(one))) {
    const left = unused(from);
    if (missing <= 0 || left <= 0 || loans.length === MOST_LENDERS) break;
    const micros = left < missing ? left : Math.max(missing, Math.floor(left / 2));
    loans.push({ from, micros });
    missing -= micros;
  }
  return loans;
}

/** The credits as one account, as if none of them were lent. */
export function wholeCredits({ pool, leases }: CreditRows, now: Date): Account {
  const all = [pool, ...leases];
  const counts = all.map((account) => currentCount(account, 'lifetime', now));
  const { period } = currentCount(pool, 'lifetime', now);
  return {
    ...pool,
    account: CREDITS,
    leased: 0,
    reserved: sum(all, ({ reserved }) => reserved),
    open_jobs: sum(all, ({ open_jobs }) => open_jobs),
    lifetime: {
      period,
      committed: sum(counts, ({ committed }) => committed) - pool.leased,
      spent: sum(counts, ({ spent }) => spent),
      byok: sum(counts, ({ byok }) => byok),
    },
  };
}

export const sum = <T>(all: readonly T[], micros: (each: T) => number): number =>
  all.reduce((total, each) => total + micros(each), 0);
