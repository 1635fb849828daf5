import type { TransactItem } from '../aws/transact.ts';
import { emptyAccount, keyAccount } from '../money/account.ts';
import type { AccountStore } from '../money/account-store.ts';
import { limitsUpdate } from '../money/limits.ts';

/** Gives a key that does not exist yet the limit of another; its counts begin at zero. */
export async function copyLimit(
  accounts: Pick<AccountStore, 'readOne'>,
  accountsTable: string,
  fromHash: string,
  toHash: string,
): Promise<TransactItem[]> {
  const { limits, counts_byok: countsByok } = await accounts.readOne(keyAccount(fromHash));
  const update = limitsUpdate(emptyAccount(keyAccount(toHash)), { limits, countsByok });
  return [{ Update: { TableName: accountsTable, ...update } }];
}
