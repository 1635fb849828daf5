import * as v from 'valibot';
import { eachInterval, INTERVALS, type Interval, periodOf } from './period.ts';

/**
 * What has been counted in one period, in micro-dollars. `committed` is what limits look at: the money
 * that open jobs hold plus what ended ones have cost.
 */
const countSchema = v.object({
  period: v.string(),
  committed: v.number(),
  /** The cost of jobs on the deployment's own provider accounts. */
  spent: v.number(),
  /** The cost of jobs on the caller's own provider keys. */
  byok: v.number(),
});
export type Count = Readonly<v.InferOutput<typeof countSchema>>;

const limitSchema = v.object({ micros: v.number(), created_at: v.string(), updated_at: v.string() });
export type Limit = Readonly<v.InferOutput<typeof limitSchema>>;

/**
 * An account is what can run out of money: a key, a workspace, a guardrail, the deployment's credits. Its row comes into
 * being with its first limit or its first job.
 */
export const accountSchema = v.object({
  account: v.string(),
  limits: v.optional(v.partial(v.object(eachInterval(() => limitSchema))), {}),
  /** Counts changes of the limits, so that a decision made in ignorance of one is refused. */
  limits_version: v.optional(v.number(), 0),
  /** Whether jobs on the caller's own provider keys count against the limits too. */
  counts_byok: v.optional(v.boolean(), false),
  /** What open jobs hold, and how many they are. */
  reserved: v.optional(v.number(), 0),
  open_jobs: v.optional(v.number(), 0),
  /** Of the credits, what workspaces have been lent. It counts as committed. */
  leased: v.optional(v.number(), 0),
  /** Counts holds and settlements: while it stands, so do the numbers above and below. */
  moves: v.optional(v.number(), 0),
  /** No further job may begin: the key is disabled or deleted, the workspace deleted. */
  closed: v.optional(v.boolean(), false),
  /** From when on none may, because the key expires. */
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
 * The period that counts now. A row that is ahead of our clock is right: another instance has already
 * begun the next period.
 */
export function currentPeriod(account: Account, interval: Interval, now: Date): string {
  const ours = periodOf(interval, now);
  const counted = account[interval]?.period;
  return counted === undefined || counted < ours ? ours : counted;
}

/** What is counted in the current period: nothing, when the row still tells of an earlier one. */
export function currentCount(account: Account, interval: Interval, now: Date): Count {
  const period = currentPeriod(account, interval, now);
  const count = account[interval];
  return count?.period === period ? count : { period, committed: 0, spent: 0, byok: 0 };
}

/** What each of its limits leaves, in micro-dollars. */
export const leftOf = (account: Account, now: Date): number[] =>
  INTERVALS.flatMap((interval) => {
    const limit = account.limits[interval];
    return limit === undefined
      ? []
      : [Math.max(0, limit.micros - currentCount(account, interval, now).committed)];
  });

export interface Shortfall {
  readonly account: string;
  readonly interval: Interval;
  readonly limitMicros: number;
  readonly leftMicros: number;
}

/** The first limit that has no room for `micros` more. */
export function findShortfall(account: Account, micros: number, now: Date): Shortfall | undefined {
  for (const interval of INTERVALS) {
    const limit = account.limits[interval];
    if (limit === undefined) continue;
    const leftMicros = Math.max(0, limit.micros - currentCount(account, interval, now).committed);
    if (leftMicros < micros) {
      return { account: account.account, interval, limitMicros: limit.micros, leftMicros };
    }
  }
  return undefined;
}
