import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type NamedItems, type TransactItem, TransactionRefused, transact } from '../aws/dynamo-writes.ts';
import { retryOnConflict } from '../aws/retry.ts';
import { type Account, CREDITS, emptyAccount, findShortfall } from './account.ts';
import type { AccountStore } from './account-store.ts';
import type { Hold } from './hold.ts';
import {
  allUnused,
  type Borrowing,
  type CreditRows,
  isOpenLease,
  leaseAccount,
  lentBy,
  lentTo,
  mostUnusedBetween,
  planLoans,
  unused,
  wholeCredits,
} from './lease.ts';
import { LeaseLists } from './lease-lists.ts';
import { borrowUpdate, endLeaseUpdate, lendUpdate, relendUpdate, takeBackUpdate } from './lease-update.ts';
import { type Micros, minus, plus } from './micros.ts';
import { notAffordable } from './payment-required.ts';

/** The credits, and what jobs have cost that held none: before the first grant, credits limit nothing. */
export interface WholeCredits extends Account {
  readonly uncredited: Micros;
}

const ROWS_A_BATCH = 100;
const LOOKS = 10;

/** While jobs begin and end all the time, no two looks may agree; then nobody can tell that nothing is left. */
const LOOKS_FOR_MONEY = 4;

/** Lends credits to workspaces in blocks, so that not all submits write the same row. */
export class LeaseStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #accounts: Pick<AccountStore, 'read' | 'readOne' | 'table' | 'update'>;
  readonly lists: LeaseLists;

  constructor(
    client: DynamoDBDocumentClient,
    accounts: Pick<AccountStore, 'read' | 'readOne' | 'table' | 'update'>,
  ) {
    this.#client = client;
    this.#accounts = accounts;
    this.lists = new LeaseLists(client, accounts);
  }

  /**
   * Finds room for an amount in a lease. It is lent in the transaction of the hold that needs it: a loan by itself
   * could be called back by the next workspace before it is held.
   * @param pool and `lease` as they were just read
   * @returns undefined where the answer is not certain yet
   * @throws PaymentRequired when there is not so much anywhere
   */
  async findLoans(lease: Account, pool: Account, micros: Micros, now: Date): Promise<Borrowing | undefined> {
    const near = { pool, leases: [lease] };
    if (micros === 0 || allUnused(near) >= micros) return { lease, loans: planLoans(near, lease, micros) };
    const rows = await this.#rowsWith(micros, now);
    if (rows === undefined) return undefined;
    const latest = rows.leases.find(({ account }) => account === lease.account) ?? lease;
    const loans = planLoans(rows, latest, micros);
    if (unused(latest) + lentBy(loans) >= micros) return { lease: latest, loans };
    // It is spread over more leases than one transaction can write.
    await this.#write({ loans: this.#lending({ lease: latest, loans }, now) });
    return undefined;
  }

  /**
   * One look cannot see money that moves from a row not yet read to a row already read. Two looks can: all moves
   * between them are known.
   * @returns all rows, if together they have so much; undefined where that is not certain
   */
  async #rowsWith(micros: Micros, now: Date): Promise<CreditRows | undefined> {
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

  /**
   * Takes a hold in a lease, and takes what the lease lacks from its lenders. Refused when one of them has changed
   * since it was read.
   */
  borrow(borrowing: Borrowing, hold: Hold, now: Date): TransactItem[] {
    return [this.#accounts.update(borrowUpdate(borrowing, hold, now)), ...this.#lenders(borrowing, now)];
  }

  #lending(borrowing: Borrowing, now: Date): TransactItem[] {
    const { lease, loans } = borrowing;
    const update = relendUpdate(lease, plus(lentTo(lease), lentBy(loans)), now);
    return [this.#accounts.update(update), ...this.#lenders(borrowing, now)];
  }

  #lenders({ lease, loans }: Borrowing, now: Date): TransactItem[] {
    const lenders = loans.map(({ from, micros }) =>
      this.#accounts.update(
        from.account === CREDITS
          ? lendUpdate(from, micros)
          : relendUpdate(from, minus(lentTo(from), micros), now),
      ),
    );
    return isOpenLease(lease) ? lenders : [...lenders, this.lists.adding(lease)];
  }

  /**
   * Ends a lease: its rest goes back to the pool, and what it has spent is counted there.
   * @returns false when the lease is in use
   */
  async end(lease: Account): Promise<boolean> {
    const pool = await this.#accounts.readOne(CREDITS);
    return this.#write({
      lease: this.#accounts.update(endLeaseUpdate(lease)),
      pool: this.#accounts.update(takeBackUpdate(pool, lease)),
      list: this.lists.removing(lease),
    });
  }

  /**
   * The credits as one account. A lease that ends moves what it has spent to the pool. A batch is no snapshot: it may
   * show one of the two before that, and the other after it. So the pool is read before all leases and once more after
   * them. If it then shows more spent, all is read again.
   */
  whole(now: Date): Promise<WholeCredits> {
    const look = async () => {
      const { ids, uncredited, pool: before } = await this.lists.readWithPool();
      const leases = await this.#read(ids.map(leaseAccount));
      const pool = await this.#accounts.readOne(CREDITS);
      const isSame = isDeepStrictEqual(spendings(pool), spendings(before));
      return isSame ? { ...wholeCredits({ pool, leases }, now), uncredited } : undefined;
    };
    return retryOnConflict(LOOKS, look, () => new Error(`leases ended during each of ${LOOKS} reads`));
  }

  /**
   * Two of these, one after the other, may prove what was unused between them (`mostUnusedBetween`). For that, the pool
   * is read after the lists: a lease that was open in between, but is in neither, has changed the pool when it ended.
   */
  async rows(): Promise<CreditRows> {
    const { ids } = await this.lists.read();
    const [pool = emptyAccount(CREDITS), ...leases] = await this.#read([CREDITS, ...ids.map(leaseAccount)]);
    return { pool, leases };
  }

  async #read(ids: readonly string[]): Promise<readonly Account[]> {
    const batches = Array.from({ length: Math.ceil(ids.length / ROWS_A_BATCH) }, (_, batch) =>
      this.#accounts.read(ids.slice(batch * ROWS_A_BATCH, (batch + 1) * ROWS_A_BATCH)),
    );
    return (await Promise.all(batches)).flat();
  }

  /** Returns false when one of the rows has changed since it was read. */
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
