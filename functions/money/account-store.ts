import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet, type RowToRead } from '../aws/dynamo-reads.ts';
import type { TransactItem } from '../aws/dynamo-writes.ts';
import { type Account, accountSchema, CREDITS, emptyAccount } from './account.ts';
import {
  type AccountUpdate,
  type Closing,
  type Correction,
  closingOfIdleUpdate,
  closingUpdate,
  correctionUpdate,
  type LimitsChange,
  limitsUpdate,
} from './account-update.ts';
import { type Activity, activityUpdate } from './activity.ts';
import type { Charge, Hold } from './hold.ts';
import { holdUpdate, settleUpdates } from './hold-update.ts';
import { isLease } from './lease.ts';
import { LeaseStore } from './lease-store.ts';
import type { Micros } from './micros.ts';

/** The row of a grant of credits. Its id stands where an account's would. */
export interface GrantRecord {
  readonly id: string;
  readonly micros: Micros;
  readonly note: string | null;
  readonly grantedBy: string;
  readonly grantedAt: Date;
}

/** Reads accounts, and makes the writes to them for others' transactions. */
export class AccountStore {
  readonly #client: DynamoDBDocumentClient;
  readonly table: string;
  readonly leases: LeaseStore;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.table = table;
    this.leases = new LeaseStore(client, this);
  }

  /** For a read together with other tables' rows. */
  row(account: string): RowToRead {
    return { table: this.table, key: { account } };
  }

  async readOne(id: string): Promise<Account> {
    const [account] = await this.read([id]);
    return account ?? emptyAccount(id);
  }

  /** Reads consistently, in the order of the ids; an account without a row is an empty one. */
  async read(ids: readonly string[]): Promise<Account[]> {
    const keys = ids.map((account) => ({ account }));
    const rows = v.parse(v.array(accountSchema), await batchGet(this.#client, this.table, keys));
    return ids.map((id) => rows.find(({ account }) => account === id) ?? emptyAccount(id));
  }

  /** Refused when the account has changed since it was read, or when its counts leave no room. */
  hold(account: Account, hold: Hold, now: Date): TransactItem {
    return this.update(holdUpdate(account, hold, now));
  }

  /**
   * Ends the holds of a job. Refused when a period is over that was assumed to be running.
   * @param accounts as they were read; without them all periods are assumed to be running
   */
  settle(holds: readonly Hold[], cost: Charge, accounts?: readonly Account[]): TransactItem[] {
    return settleUpdates(holds, cost, accounts).map((update) => this.update(update));
  }

  /** Counts the cost of a job that held no credits: none had been granted when it began. */
  countUncredited(holds: readonly Hold[], workspaceId: string, { micros }: Charge): TransactItem | undefined {
    const isCredited = holds.some((hold) => hold.account === CREDITS || isLease(hold));
    return isCredited || micros === 0 ? undefined : this.leases.lists.countUncredited(workspaceId, micros);
  }

  /** Refused when somebody has changed the limits since the account was read. */
  changeLimits(account: Account, change: LimitsChange, closing: Closing = {}): TransactItem {
    return this.update(limitsUpdate(account, change, closing));
  }

  /** Opens or closes the account, whatever its state. */
  changeClosing(id: string, closing: Closing): TransactItem {
    return this.update(closingUpdate(id, closing));
  }

  /** Refused while a job is open. */
  closeIdle(id: string): TransactItem {
    return this.update(closingOfIdleUpdate(id));
  }

  /** Counts a job that has ended for the reports. */
  count(activity: Activity): TransactItem {
    return this.update(activityUpdate(activity));
  }

  /** Corrects what is reserved. Refused when anything was held or settled since the account was read. */
  correct(account: Account, correction: Correction): TransactItem {
    return this.update(correctionUpdate(account, correction));
  }

  grantInsertion({ id, micros, note, grantedBy, grantedAt }: GrantRecord): TransactItem {
    const Item = {
      account: `grant#${id}`,
      micros,
      note,
      granted_by: grantedBy,
      granted_at: grantedAt.toISOString(),
    };
    return { Put: { TableName: this.table, Item } };
  }

  /** One write to an account, made by the rules beside this store. */
  update(update: AccountUpdate): TransactItem {
    return { Update: { TableName: this.table, ...update } };
  }
}
