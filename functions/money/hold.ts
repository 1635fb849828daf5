import * as v from 'valibot';
import { type Account, currentPeriod } from './account.ts';
import { eachInterval } from './period.ts';

/** Money that one job holds in one account until it ends. Kept with the job, so that it ends exactly once. */
export const holdSchema = v.object({
  account: v.string(),
  /** Micro-dollars; 0 where the job does not count against the account's limits. */
  micros: v.number(),
  is_byok: v.boolean(),
  /** Whether the job's cost counts against the account's limits. */
  counts: v.boolean(),
  /** In which period it was counted. */
  periods: v.object(eachInterval(() => v.string())),
});
export type Hold = Readonly<v.InferOutput<typeof holdSchema>>;

export interface Charge {
  /** The estimate, in micro-dollars. */
  readonly micros: number;
  /** The job runs on the caller's own provider key. */
  readonly isByok: boolean;
}

export function holdOf(account: Account, { micros, isByok }: Charge, now: Date): Hold {
  const counts = !isByok || account.counts_byok;
  return {
    account: account.account,
    micros: counts ? micros : 0,
    is_byok: isByok,
    counts,
    periods: eachInterval((interval) => currentPeriod(account, interval, now)),
  };
}
