import * as v from 'valibot';
import { type Account, currentPeriod } from './account.ts';
import { type Micros, micros, microsSchema, most } from './micros.ts';
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
