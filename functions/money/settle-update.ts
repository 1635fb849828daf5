import type { Account } from './account.ts';
import { type AccountUpdate, accountUpdate } from './account-update.ts';
import { type Charge, counts, type Hold } from './hold.ts';
import { INTERVALS, type Interval } from './period.ts';

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
