import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet } from '../aws/batch-get.ts';
import { TransactionRefused } from '../aws/conditions.ts';
import { type NamedItems, type TransactItem, transact } from '../aws/transact.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import { type Account, CREDITS, emptyAccount, findShortfall } from './account.ts';
import type { AccountStore } from './account-store.ts';
import type { Hold } from './hold.ts';
import {
  allUnused,
  type Borrowing,
  type CreditRows,
  holderOf,
  isOpenLease,
  leaseAccount,
  lentBy,
  lentTo,
  mostUnusedBetween,
  planLoans,
  sum,
  unused,
  wholeCredits,
} from './lease.ts';
import { borrowUpdate, endLeaseUpdate, lendUpdate, relendUpdate, takeBackUpdate } from './lease-update.ts';
import { notAffordable } from './payment-required.ts';

/** Who holds leases stands in rows of their own, written when a lease begins or ends: a row takes some 10,000. */
const LISTS = Array.from({ length: 16 }, (_, list) => `leases-${list}`);
const listSchema = v.object({
  account: v.string(),
  holders: v.optional(v.set(v.string()), new Set()),
  uncredited: v.optional(v.number(), 0),
});

type List = v.InferOutput<typeof listSchema>;

/** The credits, and what jobs cost that none were held for: before the first grant, credits limit nothing. */
export interface WholeCredits extends Account {
  readonly uncredited: number;
}

const ROWS_A_BATCH = 100;
const LOOKS = 10;

/** Where jobs begin and end all the time, whether nothing is left is not to be seen. */
const LOOKS_FOR_MONEY = 4;

/** Credits are lent to workspaces in blocks, so that no row is shared by all submits. */
export class LeaseStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #accounts: Pick<AccountStore, 'read' | 'table' | 'update'>;

  constructor(client: DynamoDBDocumentClient, accounts: Pick<AccountStore, 'read' | 'table' | 'update'>) {
    this.#client = client;
    this.#accounts = accounts;
  }

  /**
   * From where a lease gets the room for so much, in one transaction with the hold that it is for: what is lent alone
   * may be called back by the next one before it is held.
   * @param pool as it was just read, as the lease was
   * @returns undefined where that cannot be told yet
   * @throws PaymentRequired when there is not so much anywhere
   */
  async findLoans(lease: Account, pool: Account, micros: number, now: Date): Promise<Borrowing | undefined> {
    const near = { pool, leases: [lease] };
    if (micros === 0 || allUnused(near) >= micros) return { lease, loans: planLoans(near, lease, micros) };
    const rows = await this.#rowsWith(micros, now);
    if (rows === undefined) return undefined;
    const latest = rows.leases.find(({ account }) => account === lease.account) ?? lease;
    const loans = planLoans(rows, latest, micros);
    if (unused(latest) + lentBy(loans) >= micros) return { lease: latest, loans };
    // It lies in more leases than one transaction can write.
    await this.#write({ loans: this.#lending({ lease: latest, loans }, now) });
    return undefined;
  }

  /**
   * Money that moves from a row not yet read to one read before is seen by no look; two looks, between which all that
   * moved is known, leave no doubt.
   * @returns all rows, if they have so much; undefined where that cannot be told
   */
  async #rowsWith(micros: number, now: Date): Promise<CreditRows | undefined> {
    let before: CreditRows | undefined;
    for (let look = 0; look < LOOKS_FOR_MONEY; look++) {
      const rows = await this.rows();
      if (allUnused(rows) >= micros) return rows;
      const shortfall = findShortfall(wholeCredits(rows, now), micros, now);
      const isCertain = before !== undefined && mostUnusedBetween(before, rows) < micros;
      if (shortfall !== undefined && isCertain) throw notAffordable(shortfall, micros, now);
      before = rows;
    }
    return undefined;
  }

  /** Takes a hold in a lease, and what it lacks from who lends it. Refused when one of them is not as it was read. */
  borrow(borrowing: Borrowing, hold: Hold, now: Date): TransactItem[] {
    return [this.#accounts.update(borrowUpdate(borrowing, hold, now)), ...this.#lenders(borrowing, now)];
  }

  #lending(borrowing: Borrowing, now: Date): TransactItem[] {
    const { lease, loans } = borrowing;
    const update = relendUpdate(lease, lentTo(lease) + lentBy(loans), now);
    return [this.#accounts.update(update), ...this.#lenders(borrowing, now)];
  }

  #lenders({ lease, loans }: Borrowing, now: Date): TransactItem[] {
    const lenders = loans.map(({ from, micros }) =>
      this.#accounts.update(
        from.account === CREDITS ? lendUpdate(from, micros) : relendUpdate(from, lentTo(from) - micros, now),
      ),
    );
    return isOpenLease(lease) ? lenders : [...lenders, this.listing(lease)];
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
  whole(now: Date): Promise<WholeCredits> {
    const look = async () => {
      const lists = await this.#lists();
      const rows = await this.#rowsOf(lists);
      const [pool = rows.pool] = await this.#accounts.read([CREDITS]);
      const isSame = isDeepStrictEqual(spendings(pool), spendings(rows.pool));
      return isSame
        ? { ...wholeCredits(rows, now), uncredited: sum(lists, ({ uncredited }) => uncredited) }
        : undefined;
    };
    return retryOnConflict(LOOKS, look, () => new Error(`leases ended during each of ${LOOKS} looks`));
  }

  async rows(): Promise<CreditRows> {
    return this.#rowsOf(await this.#lists());
  }

  async #lists(): Promise<List[]> {
    const keys = LISTS.map((account) => ({ account }));
    return v.parse(v.array(listSchema), await batchGet(this.#client, this.#accounts.table, keys));
  }

  async #rowsOf(lists: readonly List[]): Promise<CreditRows> {
    const holders = lists.flatMap((list) => [...list.holders]);
    const ids = [CREDITS, ...holders.toSorted().map(leaseAccount)];
    const batches = Array.from({ length: Math.ceil(ids.length / ROWS_A_BATCH) }, (_, batch) =>
      this.#accounts.read(ids.slice(batch * ROWS_A_BATCH, (batch + 1) * ROWS_A_BATCH)),
    );
    const [pool = emptyAccount(CREDITS), ...leases] = (await Promise.all(batches)).flat();
    return { pool, leases };
  }

  /** What a job has cost that no credits were held for. It lies in the lists, which are as many rows as workspaces share. */
  countUncredited(workspaceId: string, micros: number): TransactItem {
    return this.#accounts.update({
      Key: { account: listOf(workspaceId) },
      UpdateExpression: 'ADD #uncredited :micros',
      ExpressionAttributeNames: { '#uncredited': 'uncredited' },
      ExpressionAttributeValues: { ':micros': micros },
    });
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
