import type { Account, Limit } from './account.ts';
import { type AccountUpdate, accountUpdate } from './account-update.ts';
import { type Closing, closingClauses } from './closing.ts';
import type { Micros } from './micros.ts';
import type { Interval } from './period.ts';

export interface LimitsChange {
  readonly limits: Account['limits'];
  readonly countsByok: boolean;
}

/** The account's limits with one of them set or, where undefined, removed. */
export function withLimit(
  { limits }: Account,
  interval: Interval,
  micros: Micros | undefined,
  now: Date,
): Account['limits'] {
  const { [interval]: before, ...others } = limits;
  if (micros === undefined) return others;
  const at = now.toISOString();
  const limit: Limit = { micros, created_at: before?.created_at ?? at, updated_at: at };
  return { ...others, [interval]: limit };
}

/**
 * Replaces an account's limits. Refused when somebody has changed them since they were read.
 * @param closing a further change of the row: one transaction can write a row only once
 */
export function limitsUpdate(account: Account, change: LimitsChange, closing: Closing = {}): AccountUpdate {
  const isFirst = account.limits_version === 0;
  const { set, values } = closingClauses(closing);
  return accountUpdate(
    account.account,
    ['#limits = :limits', '#limits_version = :next', '#counts_byok = :counts_byok', ...set],
    [isFirst ? 'attribute_not_exists(#limits_version)' : '#limits_version = :limits_version'],
    {
      ...values,
      ':limits': change.limits,
      ':counts_byok': change.countsByok,
      ':next': account.limits_version + 1,
      ...(isFirst ? {} : { ':limits_version': account.limits_version }),
    },
  );
}
