import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet } from '../aws/batch-get.ts';
import { TransactionRefused } from '../aws/conditions.ts';
import { type NamedItems, type TransactItem, transact } from '../aws/transact.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import { type Account, CREDITS, emptyAccount, findShortfall } from './account.ts';
import type { AccountStore } from './account-store.ts';
import {
  allUnused,
  type CreditRows,
  holderOf,
  isOpenLease,
  type Loan,
  leaseAccount,
  lentTo,
  planLoans,
  sum,
  wholeCredits,
} from './lease.ts';
import { endLeaseUpdate, lendUpdate, relendUpdate, takeBackUpdate } from './lease-update.ts';
import { notAffordable, tooManySubmits } from './payment-required.ts';

/** Who holds leases stands in rows of their own, written when a lease begins or ends: a row takes some 10,000. */
const LISTS = Array.from({ length: 16 }, (_, list) => `leases-${list}`);
const listSchema = v.object({ account: v.string(), holders: v.optional(v.set(v.string()), new Set()) });

const ROWS_A_BATCH = 100;
const LOOKS = 10;

/** After the first. Where jobs begin and end all the time, whether nothing is left is not to be seen. */
const LOOKS_FOR_MONEY = 3;

/** Credits are lent to workspaces in blocks, so that no row is shared by all submits. */
export class LeaseStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #accounts: Pick<AccountStore, 'read' | 'table' | 'update'>;

  constructor(client: DynamoDBDocumentClient, accounts: Pick<AccountStore, 'read' | 'table' | 'update'>) {
    this.#client = client;
    this.#accounts = accounts;
  }

  /**
   * One step towards a lease that has room for so much; whether it has is seen when it is read again.
   * @param pool as it was just read, as the lease was
   * @throws PaymentRequired when there is not so much anywhere; RateLimited when that cannot be told
   */
  async extend(lease: Account, pool: Account, micros: number, now: Date): Promise<void> {
    if (allUnused({ pool, leases: [lease] }) >= micros) {
      return this.#lend(lease, planLoans({ pool, leases: [] }, lease, micros), now);
    }
    const rows = await this.rows();
    if (allUnused(rows) < micros) return this.#refuse(rows, micros, now);
    const latest = rows.leases.find(({ account }) => account === lease.account) ?? lease;
    return this.#lend(latest, planLoans(rows, latest, micros), now);
  }

  /**
   * Money that moves from a row not yet read to one read before is seen by no look; two equal ones leave no doubt.
   * @returns once there is so much after all
   */
  async #refuse(first: CreditRows, micros: number, now: Date): Promise<void> {
    let before = first;
    for (let look = 0; look < LOOKS_FOR_MONEY; look++) {
      const rows = await this.rows();
      if (allUnused(rows) >= micros) return;
      const shortfall = findShortfall(wholeCredits(rows, now), micros, now);
      if (shortfall !== undefined && isDeepStrictEqual(rows, before)) {
        throw notAffordable(shortfall, micros, now);
      }
      before = rows;
    }
    throw tooManySubmits();
  }

  async #lend(lease: Account, loans: readonly Loan[], now: Date): Promise<void> {
    const lent = lentTo(lease) + sum(loans, ({ micros }) => micros);
    await this.#write({
      lease: this.#accounts.update(relendUpdate(lease, lent, now)),
      lenders: loans.map(({ from, micros }) =>
        this.#accounts.update(
          from.account === CREDITS
            ? lendUpdate(from, micros)
            : relendUpdate(from, lentTo(from) - micros, now),
        ),
      ),
      list: isOpenLease(lease) ? undefined : this.listing(lease),
    });
  }

  /** Gives back what a lease has left, and what it has spent into the count of the pool. False when it is in use. */
  async end(lease: Account): Promise<boolean> {
    const [pool = emptyAccount(CREDITS)] = await this.#accounts.read([CREDITS]);
    return this.#write({
      lease: this.#accounts.update(endLeaseUpdate(lease)),
      pool: this.#accounts.update(takeBackUpdate(pool, lease)),
      list: this.#list('DELETE', lease),
    });
  }

  /** The credits as one account. What ends meanwhile is counted once: a lease that ends shows in the pool. */
  whole(now: Date): Promise<Account> {
    const look = async () => {
      const rows = await this.rows();
      const [pool = rows.pool] = await this.#accounts.read([CREDITS]);
      const isSame = isDeepStrictEqual(spendings(pool), spendings(rows.pool));
      return isSame ? wholeCredits(rows, now) : undefined;
    };
    return retryOnConflict(LOOKS, look, () => new Error(`leases ended during each of ${LOOKS} looks`));
  }

  async rows(): Promise<CreditRows> {
    const lists = await batchGet(
      this.#client,
      this.#accounts.table,
      LISTS.map((account) => ({ account })),
    );
    const holders = v.parse(v.array(listSchema), lists).flatMap((list) => [...list.holders]);
    const ids = [CREDITS, ...holders.toSorted().map(leaseAccount)];
    const batches = Array.from({ length: Math.ceil(ids.length / ROWS_A_BATCH) }, (_, batch) =>
      this.#accounts.read(ids.slice(batch * ROWS_A_BATCH, (batch + 1) * ROWS_A_BATCH)),
    );
    const [pool = emptyAccount(CREDITS), ...leases] = (await Promise.all(batches)).flat();
    return { pool, leases };
  }

  /** Makes a lease one of those that are found. */
  listing(lease: Account): TransactItem {
    return this.#list('ADD', lease);
  }

  #list(change: 'ADD' | 'DELETE', lease: Account): TransactItem {
    return this.#accounts.update({
      Key: { account: listOf(holderOf(lease)) },
      UpdateExpression: `${change} #holders :holder`,
      ExpressionAttributeNames: { '#holders': 'holders' },
      ExpressionAttributeValues: { ':holder': new Set([holderOf(lease)]) },
    });
  }

  /** False when one of the rows has changed since it was read. */
  async #write(items: NamedItems): Promise<boolean> {
    try {
      await transact(this.#client, items);
      return true;
    } catch (error) {
      if (error instanceof TransactionRefused) return false;
      throw error;
    }
  }
}

const spendings = ({ lifetime }: Account) => [lifetime?.spent ?? 0, lifetime?.byok ?? 0];

function listOf(workspaceId: string): string {
  let place = 0;
  for (const character of workspaceId) place = (place * 31 + character.charCodeAt(0)) % LISTS.length;
  return LISTS[place] ?? '';
}
