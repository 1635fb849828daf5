import type { Account } from './account.ts';
import { type AccountUpdate, accountUpdate } from './account-update.ts';
import { type Charge, counts, type Hold } from './hold.ts';
import { INTERVALS, type Interval } from './period.ts';

/** Further attributes to set in the same write: one transaction can write a row only once. */
interface AlsoSet {
  readonly set: readonly string[];
  readonly values: Record<string, unknown>;
}

/**
 * Takes a hold. Refused when the account's limits or its closing have changed since it was read, or when its counts
 * leave no room. The counts are compared at the moment of the write, so that no two holds can share the same money.
 *
 *   limit = available + reserved + spent        (`committed` is the sum of the last two)
 */
export function holdUpdate(
  account: Account,
  hold: Hold,
  now: Date,
  also: AlsoSet = { set: [], values: {} },
): AccountUpdate {
  const intervals = INTERVALS.map((interval) => countHold(account, hold, interval));
  const versionIsKnown = account.limits_version > 0;
  return accountUpdate(
    account.account,
    [
      ...intervals.map(({ set }) => set),
      '#reserved = if_not_exists(#reserved, :none) + :held',
      '#open_jobs = if_not_exists(#open_jobs, :none) + :one',
      '#moves = if_not_exists(#moves, :none) + :one',
      ...also.set,
    ],
    [
      versionIsKnown ? '#limits_version = :limits_version' : 'attribute_not_exists(#limits_version)',
      'NOT #closed = :true AND NOT #closes_at <= :now',
      ...intervals.flatMap(({ when }) => when),
    ],
    {
      ':none': 0,
      ':one': 1,
      ':held': hold.micros,
      ':true': true,
      ':now': now.toISOString(),
      ...(versionIsKnown ? { ':limits_version': account.limits_version } : {}),
      ...Object.assign({}, ...intervals.map(({ values }) => values)),
      ...also.values,
    },
  );
}

interface CountClause {
  readonly set: string;
  readonly when: readonly string[];
  readonly values: Record<string, unknown>;
}

/** Adds to the count of the running period, or begins the count of a new one. */
function countHold(account: Account, hold: Hold, interval: Interval): CountClause {
  const period = hold.periods[interval];
  const isRunning = account[interval]?.period === period;
  if (!isRunning) {
    return {
      set: `#${interval} = :${interval}`,
      when: [`(attribute_not_exists(#${interval}) OR #${interval}.#period < :${interval}_period)`],
      values: {
        [`:${interval}`]: { period, committed: hold.micros, spent: 0, byok: 0 },
        [`:${interval}_period`]: period,
      },
    };
  }
  // A free job fits anywhere, even where a limit was lowered below what is already committed.
  const limit = hold.micros > 0 ? account.limits[interval] : undefined;
  return {
    set: `#${interval}.#committed = #${interval}.#committed + :held`,
    when: [
      `#${interval}.#period = :${interval}_period`,
      ...(limit === undefined ? [] : [`#${interval}.#committed <= :${interval}_room`]),
    ],
    values: {
      [`:${interval}_period`]: period,
      ...(limit === undefined ? {} : { [`:${interval}_room`]: limit.micros - hold.micros }),
    },
  };
}

/**
 * Ends the holds of a job. Without accounts, all periods of the holds are assumed to be running, as most are. An
 * account that has never counted anything was lost with its table after the hold was made: nothing can be given back
 * there, and the job ends without it.
 */
export function settleUpdates(
  holds: readonly Hold[],
  cost: Charge,
  accounts?: readonly Account[],
): AccountUpdate[] {
  return holds.flatMap((hold) => {
    if (accounts === undefined) return [settleUpdate(hold, cost, () => true)];
    const account = accounts.find((each) => each.account === hold.account);
    if (account?.lifetime === undefined) return [];
    return [settleUpdate(hold, cost, (interval) => account[interval]?.period === hold.periods[interval])];
  });
}

/**
 * Ends a hold: its money is given back, and the cost of the job (0 unless it completed) is counted in the period of the
 * hold. A period that is over needs no correction.
 *
 * @param cost at most what was held: a job is not charged more
 * @param isRunning whether the row still counts the period of the hold
 */
function settleUpdate(hold: Hold, cost: Charge, isRunning: (interval: Interval) => boolean): AccountUpdate {
  const running = INTERVALS.filter(isRunning);
  const counter = cost.isByok ? '#byok' : '#spent';
  return accountUpdate(
    hold.account,
    [
      ...running.flatMap((interval) => [
        `#${interval}.#committed = #${interval}.#committed + :correction`,
        `#${interval}.${counter} = #${interval}.${counter} + :cost`,
      ]),
      '#reserved = #reserved - :held',
      '#open_jobs = #open_jobs - :one',
      '#moves = if_not_exists(#moves, :none) + :one',
    ],
    running.map((interval) => `#${interval}.#period = :${interval}`),
    {
      ...Object.fromEntries(running.map((interval) => [`:${interval}`, hold.periods[interval]])),
      ':correction': (counts(cost, hold) ? cost.micros : 0) - hold.micros,
      ':cost': cost.micros,
      ':held': hold.micros,
      ':one': 1,
      ':none': 0,
    },
  );
}
