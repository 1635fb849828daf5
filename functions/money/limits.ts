import type { Account, Limit } from './account.ts';
import { type AccountUpdate, accountUpdate } from './account-update.ts';
import { type Closing, closingClauses } from './closing.ts';
import type { Interval } from './period.ts';

export interface LimitsChange {
  readonly limits: Account['limits'];
  readonly countsByok: boolean;
}

/** The account's limits with one set, changed or (undefined) taken away. */
export function withLimit(
  { limits }: Account,
  interval: Interval,
  micros: number | undefined,
  now: Date,
): Account['limits'] {
  const { [interval]: before, ...others } = limits;
  if (micros === undefined) return others;
  const at = now.toISOString();
  const limit: Limit = { micros, created_at: before?.created_at ?? at, updated_at: at };
  return { ...others, [interval]: limit };
}

/**
 * Replaces an account's limits, if nobody has changed them since they were read.
 * @param closing what else changes of it: one transaction can write a row only once
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
