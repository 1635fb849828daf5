import type { Account } from './account.ts';
import { type AccountUpdate, accountUpdate } from './account-update.ts';
import type { Micros } from './micros.ts';

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
