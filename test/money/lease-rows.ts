import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { type NamedItems, TransactionRefused, transact } from '../../functions/aws/dynamo-writes.ts';
import { AccountStore } from '../../functions/money/account-store.ts';
import { createTable } from '../engines/conformance/index.ts';
import { AwsWorld } from '../engines/index.ts';

export const NOW = new Date('2030-01-02T00:00:00Z');

type Counts = { readonly committed?: number; readonly spent?: number; readonly byok?: number };

/** The fields of a row that has been granted or lent an amount. */
export const lent = (micros: number, counts: Counts = {}) => ({
  limits: { lifetime: { micros, created_at: '', updated_at: '' } },
  limits_version: 1,
  lifetime: { period: 'lifetime', committed: 0, spent: 0, byok: 0, ...counts },
});

/** A table of accounts in memory, whose rows a test writes as they should be. */
export async function startLeases() {
  const world = new AwsWorld();
  const { dynamo } = world.startProcess();
  const accounts = new AccountStore(dynamo, await createTable(dynamo, 'account'));
  const put = async (account: string, fields: Record<string, unknown>) => {
    await dynamo.send(new PutCommand({ TableName: accounts.table, Item: { account, ...fields } }));
  };
  return {
    world,
    accounts,
    put,
    /** Lists the workspaces as the holders of leases. */
    list: (...holders: string[]) => put('leases-0', { holders: new Set(holders) }),
    /** @returns false when a condition does not hold */
    async write(items: NamedItems): Promise<boolean> {
      try {
        await transact(dynamo, items);
        return true;
      } catch (error) {
        if (error instanceof TransactionRefused) return false;
        throw error;
      }
    },
    /** The same leases, whose accounts are read in another way. */
    leasesThat: (read: AccountStore['read']) =>
      Object.assign(new AccountStore(dynamo, accounts.table), { read }).leases,
    /** How many calls the work makes. */
    async calls(work: () => Promise<unknown>): Promise<number> {
      const before = world.journal.count;
      await work();
      return world.journal.count - before;
    },
  };
}
