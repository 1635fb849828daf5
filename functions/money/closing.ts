import { defined } from '../defined.ts';
import { type AccountUpdate, accountUpdate } from './account-update.ts';

/** Whether jobs may begin on an account, and until when. Absent fields stay as they are. */
export interface Closing {
  /** True: no job may begin until the account is opened again. */
  readonly closed?: boolean;
  /** The moment from which no job may begin, as ISO 8601 in UTC; null: never. */
  readonly closesAt?: string | null;
}

export function closingClauses({ closed, closesAt }: Closing) {
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
