import * as v from 'valibot';
import { type Micros, micros, microsSchema, roomIn } from './micros.ts';
import { eachInterval, INTERVALS, type Interval, periodOf } from './period.ts';

/**
 * What has been counted in one period. `committed` is what limits look at: the money
 * that open jobs hold plus what ended ones have cost.
 */
const countSchema = v.object({
  period: v.string(),
  committed: microsSchema,
  /** The cost of jobs on the deployment's own provider accounts. */
  spent: microsSchema,
  /** The cost of jobs on the caller's own provider keys. */
  byok: microsSchema,
});
export type Count = Readonly<v.InferOutput<typeof countSchema>>;

const limitSchema = v.object({ micros: microsSchema, created_at: v.string(), updated_at: v.string() });
export type Limit = Readonly<v.InferOutput<typeof limitSchema>>;

/**
 * Whatever can run out of money has an account: a key, a workspace, a guardrail, the deployment's credits. Its row is
 * made by its first limit or its first job.
 */
export const accountSchema = v.object({
  account: v.string(),
  limits: v.optional(v.partial(v.object(eachInterval(() => limitSchema))), {}),
  /** Counts changes of the limits, so that a decision based on older limits is refused. */
  limits_version: v.optional(v.number(), 0),
  /** Whether jobs on the caller's own provider keys count against the limits too. */
  counts_byok: v.optional(v.boolean(), false),
  /** What open jobs hold, and how many jobs they are. */
  reserved: v.optional(microsSchema, 0),
  open_jobs: v.optional(v.number(), 0),
  /** Of the credits: what has been lent to workspaces. It counts as committed. */
  leased: v.optional(microsSchema, 0),
  /** Counts holds and settlements: while it is unchanged, so are the numbers above and below. */
  moves: v.optional(v.number(), 0),
  /** No further job may begin: the key is disabled or deleted, the workspace deleted. */
  closed: v.optional(v.boolean(), false),
  /** No job may begin from this moment on, because the key expires. */
  closes_at: v.optional(v.nullable(v.string()), null),
  daily: v.exactOptional(countSchema),
  weekly: v.exactOptional(countSchema),
  monthly: v.exactOptional(countSchema),
  lifetime: v.exactOptional(countSchema),
});
export type Account = Readonly<v.InferOutput<typeof accountSchema>>;

const GUARDRAIL = 'guardrail#';
export const keyAccount = (hash: string) => `key#${hash}`;
export const workspaceAccount = (id: string) => `workspace#${id}`;
export const guardrailAccount = (id: string) => `${GUARDRAIL}${id}`;
export const CREDITS = 'credits';

export const isOfKey = ({ account }: Pick<Account, 'account'>): boolean => account.startsWith('key#');

export const isOfGuardrail = ({ account }: Pick<Account, 'account'>): boolean =>
  account.startsWith(GUARDRAIL);

export const isClosed = ({ closed, closes_at }: Account, now: Date): boolean =>
  closed || (closes_at !== null && closes_at <= now.toISOString());

export const emptyAccount = (account: string): Account => v.parse(accountSchema, { account });

/**
 * The current period. If the row is ahead of our clock, the row is right: another instance has already begun the next
 * period.
 */
export function currentPeriod(account: Account, interval: Interval, now: Date): string {
  const ours = periodOf(interval, now);
  const counted = account[interval]?.period;
  return counted === undefined || counted < ours ? ours : counted;
}

const NOTHING = { committed: micros(0), spent: micros(0), byok: micros(0) };

/** What is counted in the current period: nothing, while the row still counts an earlier one. */
export function currentCount(account: Account, interval: Interval, now: Date): Count {
  const period = currentPeriod(account, interval, now);
  const count = account[interval];
  return count?.period === period ? count : { period, ...NOTHING };
}

/** How much each of its limits leaves. */
export const leftOf = (account: Account, now: Date): Micros[] =>
  INTERVALS.flatMap((interval) => {
    const limit = account.limits[interval];
    return limit === undefined ? [] : [roomIn(limit.micros, currentCount(account, interval, now).committed)];
  });

export interface Shortfall {
  readonly account: string;
  readonly interval: Interval;
  readonly limitMicros: Micros;
  readonly leftMicros: Micros;
}

/** The first limit that has no room for the amount. */
export function findShortfall(account: Account, amount: Micros, now: Date): Shortfall | undefined {
  for (const interval of INTERVALS) {
    const limit = account.limits[interval];
    if (limit === undefined) continue;
    const leftMicros = roomIn(limit.micros, currentCount(account, interval, now).committed);
    if (leftMicros < amount) {
      return { account: account.account, interval, limitMicros: limit.micros, leftMicros };
    }
  }
  return undefined;
}
