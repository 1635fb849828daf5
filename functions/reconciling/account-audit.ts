import { type DynamoDBDocumentClient, paginateQuery, paginateScan } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet, unreadFields } from '../aws/dynamo-reads.ts';
import { type Account, accountSchema, CREDITS } from '../money/account.ts';
import type { AccountStore } from '../money/account-store.ts';
import { isLease, isOpenLease, lentTo, sum } from '../money/lease.ts';
import type { LeaseStore } from '../money/lease-store.ts';
import { type Micros, micros, plus } from '../money/micros.ts';
import { allShards, OVERDUE_INDEX, QUARANTINED } from '../sweeping/sparse-index.ts';
import { salvageJob } from '../videos/jobs/salvage-job.ts';
import { type Audit, type Finding, ROWS_A_PAGE, type Row } from './audit.ts';

/** Not all rows are accounts: grants of credits and the reconciler's own cursor are in the same table. */
const ACCOUNT = /^(key#|workspace#|guardrail#|lease#)/;

export interface AccountAuditPorts {
  readonly client: DynamoDBDocumentClient;
  readonly jobsTable: string;
  readonly accounts: Pick<AccountStore, 'table' | 'correct' | 'leases'>;
  readonly now: () => Date;
}

const TOO_MUCH = 'more is reserved than open jobs hold';
const TOO_LITTLE = 'less is reserved than open jobs hold';

/**
 * Checks the ledgers: an account has reserved what its open jobs hold, and committed what it has reserved and spent.
 * Jobs are read one after the other, so a sum is right only if nothing was held or settled meanwhile. `moves` tells
 * that: it is one of the facts, and an account whose `moves` keeps counting is judged another time.
 *
 * The index of open jobs may miss the latest ones for minutes. So what it says may raise what is reserved, but only the
 * jobs' own rows may lower it.
 */
export class AccountAudit implements Audit {
  readonly name = 'accounts';
  readonly key = 'account';
  readonly table: string;
  readonly #ports: AccountAuditPorts;
  #held: Held = new Map();
  /** Whether the rows themselves say what is held. */
  #isProven = false;

  constructor(ports: AccountAuditPorts) {
    this.#ports = ports;
    this.table = ports.accounts.table;
  }

  async begin(suspects: readonly Finding[]): Promise<void> {
    const proof = (await this.#hasRested(suspects)) ? await heldByRows(this.#ports) : undefined;
    this.#isProven = proof !== undefined;
    this.#held = proof ?? (await heldByTheIndex(this.#ports));
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
    const { micros, jobs } = this.#held.get(id) ?? NOTHING_HELD;
    if (reserved === micros && open_jobs === jobs) return [];
    const facts = { reserved, open_jobs, moves, held: micros, holding_jobs: jobs };
    const repair = { account: this.#ports.accounts.correct(account, { reserved: micros, openJobs: jobs }) };
    if (reserved <= micros && open_jobs <= jobs) return [{ id, problem: TOO_LITTLE, facts, repair }];
    return [{ id, problem: TOO_MUCH, facts, ...(this.#isProven ? { repair } : { isUnproven: true }) }];
  }

  /**
   * Whether an account that has too much reserved is as it was. One that has moved cannot be confirmed, and on a busy
   * stage most have: each job that was accepted during the first look makes a suspect.
   */
  async #hasRested(suspects: readonly Finding[]): Promise<boolean> {
    const { client, accounts } = this.#ports;
    const found = suspects.filter(({ problem }) => problem === TOO_MUCH);
    const moves = new Map(found.map(({ id, facts }) => [id, facts.moves]));
    const keys = [...moves.keys()].map((account) => ({ account }));
    for (let i = 0; i < keys.length; i += ROWS_A_PAGE) {
      const rows = await batchGet(client, accounts.table, keys.slice(i, i + ROWS_A_PAGE));
      const again = rows.map((row) => v.safeParse(accountSchema, row));
      if (again.some(({ success, output }) => success && output.moves === moves.get(output.account)))
        return true;
    }
    return false;
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
  return [{ id, problem: 'committed is not the sum of reserved, leased and spent', facts }];
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
  return [...unlisted, { id: CREDITS, problem: 'leased is not the sum that leases were lent', facts }];
}

/** Money that open jobs hold in one account. */
interface OpenHolds {
  readonly micros: Micros;
  readonly jobs: number;
}

const NOTHING_HELD: OpenHolds = { micros: micros(0), jobs: 0 };

/** What open jobs hold, by account. */
type Held = ReadonlyMap<string, OpenHolds>;

interface OpenHoldsPorts {
  readonly client: DynamoDBDocumentClient;
  readonly jobsTable: string;
  readonly now: () => Date;
}

/**
 * The sweeper's index names the jobs; their holds are read from their rows, consistently. At least this much is held.
 * The index may miss the latest jobs for minutes, because DynamoDB promises no time by which an index is up to date. It
 * is in the order of what is due, so a job that moves on between two pages may be in both.
 */
export async function heldByTheIndex({ client, jobsTable }: OpenHoldsPorts): Promise<Held> {
  const held = new Map<string, OpenHolds>();
  const addShard = async (shard: string) => {
    const seen = new Set<unknown>();
    for await (const keys of openJobs(client, jobsTable, shard)) {
      const unseen = keys.filter(({ id }) => !seen.has(id));
      for (const { id } of unseen) seen.add(id);
      const rows = await batchGet(client, jobsTable, unseen);
      for (const row of rows.filter(({ active }) => active === shard)) add(held, row);
    }
  };
  await Promise.all(allShards().map(addShard));
  return held;
}

/** Enough for some gigabytes of rows; the function has ten minutes for everything. */
const PROOF_MILLISECONDS = 120_000;

/**
 * All rows of the table are read, consistently. Exactly this much is held in an account on which nothing was held or
 * settled meanwhile.
 * @returns undefined when there are too many rows to read them in time
 */
export async function heldByRows({ client, jobsTable, now }: OpenHoldsPorts): Promise<Held | undefined> {
  const end = now().getTime() + PROOF_MILLISECONDS;
  const held = new Map<string, OpenHolds>();
  const pages = paginateScan(
    { client },
    {
      TableName: jobsTable,
      ConsistentRead: true,
      FilterExpression: 'attribute_exists(#holds) AND NOT #phase = :settled',
      ExpressionAttributeNames: { '#holds': 'holds', '#phase': 'phase' },
      ExpressionAttributeValues: { ':settled': 'settled' },
    },
  );
  for await (const { Items = [] } of pages) {
    for (const row of Items) add(held, row);
    if (now().getTime() >= end) return undefined;
  }
  return held;
}

function add(held: Map<string, OpenHolds>, row: Row): void {
  if (row.phase === 'settled' || row.active === QUARANTINED) return;
  // Of a damaged row only the holds that can be read, because its end will release only those.
  for (const { account, micros } of salvageJob(row).job.holds) {
    const before = held.get(account) ?? NOTHING_HELD;
    held.set(account, { micros: plus(before.micros, micros), jobs: before.jobs + 1 });
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
