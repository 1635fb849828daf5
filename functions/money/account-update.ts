import { defined } from '../defined.ts';
import type { Account, Limit } from './account.ts';
import type { Micros } from './micros.ts';
import type { Interval } from './period.ts';

/** One write to an account's row, without its table. */
export interface AccountUpdate {
  readonly Key: { readonly account: string };
  readonly UpdateExpression: string;
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues: Record<string, unknown>;
}

/** Each attribute's alias is its name behind a `#`. DynamoDB refuses aliases that no expression uses. */
export function accountUpdate(
  account: string,
  set: readonly string[],
  when: readonly string[],
  values: Record<string, unknown>,
): AccountUpdate {
  const UpdateExpression = `SET ${set.join(', ')}`;
  const ConditionExpression = when.join(' AND ');
  const aliases = `${UpdateExpression} ${ConditionExpression}`.match(/#\w+/g) ?? [];
  return {
    Key: { account },
    UpdateExpression,
    ...(when.length === 0 ? {} : { ConditionExpression }),
    ExpressionAttributeNames: Object.fromEntries(aliases.map((alias) => [alias, alias.slice(1)])),
    ExpressionAttributeValues: values,
  };
}

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

/** Whether jobs may begin on an account, and until when. Absent fields stay as they are. */
export interface Closing {
  /** True: no job may begin until the account is opened again. */
  readonly closed?: boolean;
  /** The moment from which no job may begin, as ISO 8601 in UTC; null: never. */
  readonly closesAt?: string | null;
}

function closingClauses({ closed, closesAt }: Closing) {
  const isAboutEnd = closesAt !== undefined;
  return {
    set: [
      ...(closed === undefined ? [] : ['#closed = :closed']),
      ...(isAboutEnd ? ['#closes_at = :closes_at'] : []),
    ],
    values: defined({ ':closed': closed, ':closes_at': closesAt }),
  };
}

/** Opens or closes an account, even one that has no row yet. */
export function closingUpdate(account: string, closing: Closing): AccountUpdate {
  const { set, values } = closingClauses(closing);
  return accountUpdate(account, set, [], values);
}

/** Closes an account that has no open job. */
export const closingOfIdleUpdate = (account: string): AccountUpdate =>
  accountUpdate(account, ['#closed = :true'], ['(attribute_not_exists(#open_jobs) OR #open_jobs = :none)'], {
    ':true': true,
    ':none': 0,
  });

/** What an account should have reserved, and for how many jobs. */
export interface Correction {
  readonly reserved: Micros;
  readonly openJobs: number;
}

/**
 * Corrects what an account has reserved, and with it what its lifetime has committed. Refused when anything was held or
 * settled since the account was read. The counts of shorter periods are left alone: they soon end.
 */
export function correctionUpdate(account: Account, { reserved, openJobs }: Correction): AccountUpdate {
  const isNew = account.moves === 0;
  return accountUpdate(
    account.account,
    [
      '#reserved = :reserved',
      '#open_jobs = :open_jobs',
      '#moves = :moved',
      ...(account.lifetime === undefined
        ? []
        : ['#lifetime.#committed = #lifetime.#committed + :difference']),
    ],
    [isNew ? 'attribute_not_exists(#moves)' : '#moves = :moves'],
    {
      ':reserved': reserved,
      ':open_jobs': openJobs,
      ':moved': account.moves + 1,
      ...(isNew ? {} : { ':moves': account.moves }),
      ...(account.lifetime === undefined ? {} : { ':difference': reserved - account.reserved }),
    },
  );
}
