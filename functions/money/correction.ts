import type { Account } from './account.ts';
import { type AccountUpdate, accountUpdate } from './account-update.ts';

/** What an account should have reserved, and for how many jobs. */
export interface Correction {
  readonly reserved: number;
  readonly openJobs: number;
}

/**
 * Puts right what an account has reserved, and what its lifetime has committed with it. Refused when anything was
 * held or settled since the account was read. The counts of shorter periods end by themselves.
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
