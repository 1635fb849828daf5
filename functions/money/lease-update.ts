import type { Account } from './account.ts';
import { type AccountUpdate, accountUpdate, withLimit } from './account-update.ts';
import type { Hold } from './hold.ts';
import { holdUpdate } from './hold-update.ts';
import { type Borrowing, lentBy, lentTo } from './lease.ts';
import { type Micros, micros, minus, plus } from './micros.ts';

/**
 * Changes what a lease has been lent. Refused when somebody else has changed it since it was read, or when its jobs
 * leave no room: like a hold, it compares the count as it is at the moment of the write.
 */
export function relendUpdate(lease: Account, lent: Micros, now: Date): AccountUpdate {
  const version = versionClause(lease);
  return accountUpdate(
    lease.account,
    ['#limits = :limits', '#limits_version = :next'],
    [version.when, '(attribute_not_exists(#lifetime) OR #lifetime.#committed <= :micros)'],
    {
      ...version.values,
      ':limits': withLimit(lease, 'lifetime', lent, now),
      ':micros': lent,
    },
  );
}

/** A lease together with its loans. */
export const withLoans = ({ lease, loans }: Borrowing, now: Date): Account => ({
  ...lease,
  limits: withLimit(lease, 'lifetime', plus(lentTo(lease), lentBy(loans)), now),
  limits_version: lease.limits_version + 1,
});

/**
 * Takes a hold in a lease together with its loans. Refused when somebody else has changed what it is lent since it was
 * read.
 */
export function borrowUpdate(borrowing: Borrowing, hold: Hold, now: Date): AccountUpdate {
  const { limits, limits_version } = withLoans(borrowing, now);
  return holdUpdate({ ...borrowing.lease, limits }, hold, now, {
    set: ['#limits = :limits', '#limits_version = :next'],
    values: { ':limits': limits, ':next': limits_version },
  });
}

/**
 * Ends a lease that has no open job. Refused when anything has moved since it was read. Its version is kept and goes on
 * counting.
 */
export function endLeaseUpdate(lease: Account): AccountUpdate {
  const version = versionClause(lease);
  const hasMoved = lease.moves > 0;
  return accountUpdate(
    lease.account,
    ['#limits = :limits', '#limits_version = :next', '#lifetime = :lifetime'],
    [version.when, hasMoved ? '#moves = :moves' : 'attribute_not_exists(#moves)'],
    {
      ...version.values,
      ':limits': {},
      ':lifetime': { period: 'lifetime', committed: 0, spent: 0, byok: 0 },
      ...(hasMoved ? { ':moves': lease.moves } : {}),
    },
  );
}

function versionClause({ limits_version }: Account) {
  const isFirst = limits_version === 0;
  return {
    when: isFirst ? 'attribute_not_exists(#limits_version)' : '#limits_version = :limits_version',
    values: {
      ':next': limits_version + 1,
      ...(isFirst ? {} : { ':limits_version': limits_version }),
    },
  };
}

/** Lends from the pool, if it has so much. */
export function lendUpdate(pool: Account, amount: Micros): AccountUpdate {
  const change = poolChange(pool, { leased: amount, spent: micros(0), byok: micros(0) });
  const isCounted = pool.lifetime !== undefined;
  return accountUpdate(
    pool.account,
    change.set,
    [
      '#limits_version = :limits_version',
      isCounted ? '#lifetime.#committed <= :room' : 'attribute_not_exists(#lifetime)',
    ],
    {
      ...change.values,
      ':limits_version': pool.limits_version,
      ...(isCounted ? { ':room': minus(lentTo(pool), amount) } : {}),
    },
  );
}

/** Takes back what a lease was lent, and counts what it has spent. */
export function takeBackUpdate(pool: Account, lease: Account): AccountUpdate {
  const { spent, byok } = lease.lifetime ?? { spent: micros(0), byok: micros(0) };
  const change = poolChange(pool, { leased: minus(micros(0), lentTo(lease)), spent, byok });
  const when =
    pool.lifetime === undefined ? 'attribute_not_exists(#lifetime)' : 'attribute_exists(#lifetime)';
  return accountUpdate(pool.account, change.set, [when], change.values);
}

/** What the pool has lent counts as committed, like what is held and spent. */
function poolChange(
  { lifetime }: Account,
  { leased, spent, byok }: { leased: Micros; spent: Micros; byok: Micros },
) {
  const committed = plus(leased, spent);
  const moved = [
    '#leased = if_not_exists(#leased, :none) + :leased',
    '#moves = if_not_exists(#moves, :none) + :one',
  ];
  const values = { ':leased': leased, ':none': 0, ':one': 1 };
  if (lifetime === undefined) {
    const begun = { period: 'lifetime', committed, spent, byok };
    return { set: ['#lifetime = :lifetime', ...moved], values: { ...values, ':lifetime': begun } };
  }
  const counts = { committed, spent, byok };
  const sums = Object.keys(counts).map((name) => `#lifetime.#${name} = #lifetime.#${name} + :${name}`);
  const added = Object.fromEntries(Object.entries(counts).map(([name, value]) => [`:${name}`, value]));
  return { set: [...sums, ...moved], values: { ...values, ...added } };
}
