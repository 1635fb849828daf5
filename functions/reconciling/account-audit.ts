import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { unreadFields } from '../aws/readable-rows.ts';
import { type Account, accountSchema, CREDITS } from '../money/account.ts';
import type { AccountStore } from '../money/account-store.ts';
import type { Audit, Finding, Row } from './audit.ts';
import { findWrongLeases } from './lease-audit.ts';
import { NOTHING_HELD, type OpenHolds, openHolds } from './open-holds.ts';

/** Not all rows are accounts: grants of credits and the reconciler's own cursor are in the same table. */
const ACCOUNT = /^(key#|workspace#|guardrail#|lease#)/;

export interface AccountAuditPorts {
  readonly client: DynamoDBDocumentClient;
  readonly jobsTable: string;
  readonly accounts: Pick<AccountStore, 'table' | 'correct' | 'leases'>;
}

/**
 * Checks the ledgers: an account has reserved what its open jobs hold, and committed what it has reserved and spent.
 * Jobs are read one after the other, so a sum is right only if nothing was held or settled meanwhile. `moves` tells
 * that: it is one of the facts, and an account whose `moves` keeps counting is judged another time.
 */
export class AccountAudit implements Audit {
  readonly name = 'accounts';
  readonly key = 'account';
  readonly table: string;
  readonly #ports: AccountAuditPorts;
  #open: ReadonlyMap<string, OpenHolds> = new Map();

  constructor(ports: AccountAuditPorts) {
    this.#ports = ports;
    this.table = ports.accounts.table;
  }

  async begin(): Promise<void> {
    const { client, jobsTable } = this.#ports;
    this.#open = await openHolds(client, jobsTable);
  }

  async look(rows: readonly Row[]): Promise<Finding[]> {
    const accounts: Account[] = [];
    const findings = rows.filter(isAccount).flatMap((row) => {
      const read = v.safeParse(accountSchema, row);
      if (!read.success) {
        const facts = { fields: unreadFields(read.issues) };
        return [{ id: String(row.account), problem: 'the account cannot be read', facts }];
      }
      accounts.push(read.output);
      return [...this.#ofReserved(read.output), ...ofCommitted(read.output)];
    });
    return [...findings, ...(await findWrongLeases(accounts, this.#ports.accounts.leases))];
  }

  /** Every job releases what its own row says, so that is what must be reserved. */
  #ofReserved(account: Account): Finding[] {
    const { account: id, reserved, open_jobs, moves } = account;
    const { micros, jobs } = this.#open.get(id) ?? NOTHING_HELD;
    if (reserved === micros && open_jobs === jobs) return [];
    const facts = { reserved, open_jobs, moves, held: micros, holding_jobs: jobs };
    const repair = { account: this.#ports.accounts.correct(account, { reserved: micros, openJobs: jobs }) };
    return [{ id, problem: 'reserved is not what open jobs hold', facts, repair }];
  }
}

const isAccount = ({ account }: Row): boolean =>
  account === CREDITS || (typeof account === 'string' && ACCOUNT.test(account));

/**
 * Over its lifetime an account has committed what is reserved, what is lent and what was spent. What was spent on
 * callers' own provider keys counts only while the account says so. Nothing proves which of the numbers is wrong.
 */
function ofCommitted({ account: id, lifetime, reserved, leased }: Account): Finding[] {
  if (lifetime === undefined) return [];
  const { committed, spent, byok } = lifetime;
  const least = reserved + spent + leased;
  if (committed >= least && committed <= least + byok) return [];
  const facts = { committed, reserved, leased, spent, byok };
  return [{ id, problem: 'committed is not what is reserved and spent', facts }];
}
