import type { Account } from './account.ts';
import { type AccountUpdate, accountUpdate } from './account-update.ts';
import { type Charge, counts, type Hold } from './hold.ts';
import { INTERVALS, type Interval } from './period.ts';

/**
 * Ends the holds of a job. Without accounts, all are taken to count the periods that the holds were made in, as
 * they do for most jobs. An account that has never counted anything has been lost since the hold was made, with
 * its table: what is not held there cannot be given back, and the job ends without it.
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
 * Ends a hold: what it held goes back, what the job has cost (0 unless it completed) is counted in the
 * period of the hold. Of a period that is over nothing is left to correct.
 *
 * @param cost at most one of those that the hold was made for: a job is not charged more
 * @param isRunning whether the period of the hold is still the one that the row counts
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
