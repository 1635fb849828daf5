import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet, unreadFields } from '../aws/dynamo-reads.ts';
import { type Account, accountSchema, CREDITS } from '../money/account.ts';
import type { AccountStore } from '../money/account-store.ts';
import { isLease, isOpenLease, lentTo, sum } from '../money/lease.ts';
import type { LeaseStore } from '../money/lease-store.ts';
import { type Micros, micros, plus } from '../money/micros.ts';
import { allShards, OVERDUE_INDEX } from '../sweeping/sparse-index.ts';
import { salvageJob } from '../videos/jobs/salvage-job.ts';
import { type Audit, type Finding, ROWS_A_PAGE, type Row } from './audit.ts';

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

/** Money that open jobs hold in one account. */
interface OpenHolds {
  readonly micros: Micros;
  readonly jobs: number;
}

const NOTHING_HELD: OpenHolds = { micros: micros(0), jobs: 0 };

/**
 * What open jobs hold, by account. The sweeper's index names the jobs; those in quarantine hold nothing and are left
 * out. Their holds are read from their rows, consistently. This is right if all open jobs have the sweeper's mark.
 */
export async function openHolds(
  client: DynamoDBDocumentClient,
  jobsTable: string,
): Promise<ReadonlyMap<string, OpenHolds>> {
  const sums = new Map<string, OpenHolds>();
  const addShard = async (shard: string) => {
    for await (const ids of openJobs(client, jobsTable, shard)) {
      const rows = ids.length === 0 ? [] : await batchGet(client, jobsTable, ids);
      for (const row of rows.filter(({ active, phase }) => active === shard && phase !== 'settled'))
        add(sums, row);
    }
  };
  await Promise.all(allShards().map(addShard));
  return sums;
}

function add(sums: Map<string, OpenHolds>, row: Record<string, unknown>): void {
  // Of a damaged row only the holds that can be read, because its end will release only those.
  for (const hold of salvageJob(row).job.holds) {
    const before = sums.get(hold.account) ?? NOTHING_HELD;
    sums.set(hold.account, { micros: plus(before.micros, hold.micros), jobs: before.jobs + 1 });
  }
}

async function* openJobs(client: DynamoDBDocumentClient, table: string, shard: string) {
  const pages = paginateQuery(
    { client, pageSize: ROWS_A_PAGE },
    {
      TableName: table,
      IndexName: OVERDUE_INDEX,
      KeyConditionExpression: '#active = :shard',
      ProjectionExpression: '#id',
      ExpressionAttributeNames: { '#active': 'active', '#id': 'id' },
      ExpressionAttributeValues: { ':shard': shard },
    },
  );
  for await (const { Items = [] } of pages) yield Items;
}

/**
 * Checks that the pool has lent what workspaces were lent, and that each lease is in the list by which it is found. A
 * loan changes a version or counts a move, so sums that stay the same were taken while nobody lent.
 */
export async function findWrongLeases(
  accounts: readonly Account[],
  store: Pick<LeaseStore, 'rows' | 'lists'>,
): Promise<Finding[]> {
  const hasPool = accounts.some(({ account }) => account === CREDITS);
  const open = accounts.filter((account) => isLease(account) && isOpenLease(account));
  if (!hasPool && open.length === 0) return [];
  const { pool, leases } = await store.rows();
  const listed = new Set(leases.map(({ account }) => account));
  const unlisted = open
    .filter(({ account }) => !listed.has(account))
    .map((lease) => ({
      id: lease.account,
      problem: 'the lease is in no list',
      facts: { lent: lentTo(lease), version: lease.limits_version },
      repair: { list: store.lists.adding(lease) },
    }));
  const lent = sum(leases, lentTo);
  if (!hasPool || lent === pool.leased) return unlisted;
  const versions = sum(leases, ({ limits_version }) => limits_version);
  const facts = { leased: pool.leased, lent, leases: leases.length, versions, moves: pool.moves };
  return [...unlisted, { id: CREDITS, problem: 'leased is not what leases have been lent', facts }];
}
