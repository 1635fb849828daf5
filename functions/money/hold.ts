import * as v from 'valibot';
import { type Account, currentPeriod } from './account.ts';
import { eachInterval } from './period.ts';

/** Money that one job holds in one account until it ends. Kept with the job, so that it ends exactly once. */
export const holdSchema = v.object({
  account: v.string(),
  /** Micro-dollars; 0 where the job cannot count against the account's limits. */
  micros: v.number(),
  /** Whether a job on the caller's own provider key counts against the account's limits; rows of earlier versions do not say. */
  counts_byok: v.optional(v.boolean(), false),
  /** In which period it was counted. */
  periods: v.object(eachInterval(() => v.string())),
});
export type Hold = Readonly<v.InferOutput<typeof holdSchema>>;

export interface Charge {
  /** In micro-dollars. */
  readonly micros: number;
  /** The job runs on the caller's own provider key. */
  readonly isByok: boolean;
}

/** Of a job that counts against an account, where its limits are looked at. */
export const counts = ({ isByok }: Charge, { counts_byok }: Pick<Hold, 'counts_byok'>): boolean =>
  !isByok || counts_byok;

/** @param charges what the job may cost, of which it will cost one: the dearest that counts is held */
export function holdOf(account: Account, charges: readonly Charge[], now: Date): Hold {
  const counted = charges.filter((charge) => counts(charge, account));
  return {
    account: account.account,
    micros: Math.max(0, ...counted.map(({ micros }) => micros)),
    counts_byok: account.counts_byok,
    periods: eachInterval((interval) => currentPeriod(account, interval, now)),
  };
}
