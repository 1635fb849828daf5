import type { Account } from '../money/account.ts';
import { CREDITS } from '../money/account.ts';
import { isLease, isOpenLease, lentTo, sum } from '../money/lease.ts';
import type { LeaseStore } from '../money/lease-store.ts';
import type { Finding } from './audit.ts';

/**
 * Checks that the pool has lent what workspaces were lent, and that each lease is in the list by which it is found. A
 * loan changes a version or counts a move, so sums that stay the same were taken while nobody lent.
 */
export async function findWrongLeases(
  accounts: readonly Account[],
  store: Pick<LeaseStore, 'rows' | 'lists'>,
): Promise<Finding[]> {
  const hasPool = accounts.some(({ account }) => account === CREDITS);
  const open = accounts.filter((account) => isLease(account) && isOpenLease(account));
  if (!hasPool && open.length === 0) return [];
  const { pool, leases } = await store.rows();
  const listed = new Set(leases.map(({ account }) => account));
  const unlisted = open
    .filter(({ account }) => !listed.has(account))
    .map((lease) => ({
      id: lease.account,
      problem: 'the lease is in no list',
      facts: { lent: lentTo(lease), version: lease.limits_version },
      repair: { list: store.lists.adding(lease) },
    }));
  const lent = sum(leases, lentTo);
  if (!hasPool || lent === pool.leased) return unlisted;
  const versions = sum(leases, ({ limits_version }) => limits_version);
  const facts = { leased: pool.leased, lent, leases: leases.length, versions, moves: pool.moves };
  return [...unlisted, { id: CREDITS, problem: 'leased is not what leases have been lent', facts }];
}
