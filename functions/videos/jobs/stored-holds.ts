import * as v from 'valibot';
import { guardrailAccount, keyAccount, workspaceAccount } from '../../money/account.ts';
import { type Hold, holdSchema } from '../../money/hold.ts';
import { leaseAccount } from '../../money/lease.ts';
import { microsSchema } from '../../money/micros.ts';
import { eachInterval, INTERVALS, periodOf } from '../../money/period.ts';

/** What a job's row says of its accounts beside their holds. */
interface Holder {
  readonly key_hash: string;
  readonly workspace_id: string;
  readonly guardrail_id?: string;
  readonly created_at: string;
}

const OWNERS = ['key', 'workspace', 'guardrail', 'lease'] as const;

const shortHoldSchema = v.object({
  of: v.picklist(OWNERS),
  micros: microsSchema,
  counts_byok: v.exactOptional(v.literal(true)),
  /** Absent for those in which the job was created. */
  periods: v.exactOptional(holdSchema.entries.periods),
});
type ShortHold = v.InferOutput<typeof shortHoldSchema>;

/** A hold in a job's row. Rows of older versions have whole ones. */
export const storedHoldSchema = v.union([shortHoldSchema, holdSchema]);
type StoredHold = v.InferOutput<typeof storedHoldSchema>;

/**
 * Without what follows from the rest of the row. With whole holds most rows would have more than a kilobyte, and each
 * write would cost twice.
 */
export function shortHold(hold: Hold, holder: Holder): StoredHold {
  const of = OWNERS.find((owner) => accountOf[owner](holder) === hold.account);
  if (of === undefined) return { ...hold };
  const usual = periodsOf(holder);
  const isUsual = INTERVALS.every((interval) => hold.periods[interval] === usual[interval]);
  return {
    of,
    micros: hold.micros,
    ...(hold.counts_byok ? { counts_byok: true } : {}),
    ...(isUsual ? {} : { periods: hold.periods }),
  };
}

export function wholeHold(hold: StoredHold, holder: Holder): Hold {
  if ('account' in hold) return hold;
  const { of, micros, counts_byok = false, periods = periodsOf(holder) } = hold;
  return { account: accountOf[of](holder), micros, counts_byok, periods };
}

const accountOf: Record<ShortHold['of'], (holder: Holder) => string> = {
  key: ({ key_hash }) => keyAccount(key_hash),
  workspace: ({ workspace_id }) => workspaceAccount(workspace_id),
  guardrail: ({ guardrail_id = '' }) => guardrailAccount(guardrail_id),
  lease: ({ workspace_id }) => leaseAccount(workspace_id),
};

/** A time that cannot be read stands for periods that are over: the hold is released, and their counts stay. */
const periodsOf = ({ created_at }: Holder): Hold['periods'] => {
  const created = new Date(Date.parse(created_at) || 0);
  return eachInterval((interval) => periodOf(interval, created));
};
