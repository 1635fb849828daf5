import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { batchGet } from '../aws/dynamo-reads.ts';
import { TransactionRefused, transact } from '../aws/dynamo-writes.ts';
import type { Log } from '../telemetry/log.ts';
import { type Audit, type Cursor, type CursorStore, type Finding, ROWS_A_PAGE, readRows } from './audit.ts';

/** No page begins later than this; the function has ten minutes. */
const RUN_MILLISECONDS = 180_000;

/** A run that reads this much costs some cents; the next one goes on where it stopped. */
const PAGES_A_RUN = 1_000;

/** More contradictions than this have one cause, and the first of them are enough to find it. */
const MOST_SUSPECTS = 300;

/** Longer than anybody's work on a row takes, and longer than a write usually takes to reach an index. */
const SETTLING_MILLISECONDS = 60_000;

export interface ReconcilePorts {
  readonly client: DynamoDBDocumentClient;
  readonly cursors: Pick<CursorStore, 'find' | 'save'>;
  readonly now: () => Date;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly countContradictions: (count: number) => void;
  readonly log: Log;
}

/**
 * Looks for rows that contradict others, and goes on where the previous run stopped. A single look may see somebody's
 * work half done. Only what a second look, a minute later, finds unchanged is a contradiction.
 * @param audits in this order: each may rely on the repairs of those before it
 */
export async function reconcile(audits: readonly Audit[], ports: ReconcilePorts): Promise<void> {
  const start = await ports.cursors.find();
  const budget = new Budget(ports.now);
  const first = audits.findIndex(({ name }) => name === start?.audit);
  let next: Cursor | undefined;
  for (const audit of audits.slice(Math.max(0, first))) {
    const after = audit.name === start?.audit ? start.after : undefined;
    const { suspects, last } = await firstLook(audit, after, budget, ports);
    const contradictions = suspects.length === 0 ? [] : await secondLook(audit, suspects, ports);
    ports.log.info('audited', { audit: audit.name, suspects: suspects.length, stopped_after: last });
    ports.countContradictions(contradictions.filter(({ isUnproven = false }) => !isUnproven).length);
    await repairAll(audit, contradictions, ports);
    next = last === undefined ? undefined : { audit: audit.name, after: last };
    if (next !== undefined) break;
  }
  await ports.cursors.save(next);
}

/** How much one run may do. */
class Budget {
  readonly #now: () => Date;
  readonly #end: number;
  #pages = 0;

  constructor(now: () => Date) {
    this.#now = now;
    this.#end = now().getTime() + RUN_MILLISECONDS;
  }

  /** Counts a page, and tells whether another may be read. */
  takesPage(): boolean {
    this.#pages++;
    return this.#pages < PAGES_A_RUN && this.#now().getTime() < this.#end;
  }
}

/** `last` is the row after which the next run goes on, if this one had to stop. */
async function firstLook(
  audit: Audit,
  after: string | undefined,
  budget: Budget,
  { client }: ReconcilePorts,
): Promise<{ readonly suspects: readonly Finding[]; readonly last?: string }> {
  const suspects: Finding[] = [];
  await audit.begin?.([]);
  for await (const { rows, last } of readRows(client, audit, after)) {
    suspects.push(...(await audit.look(rows)));
    const goesOn = budget.takesPage() && suspects.length < MOST_SUSPECTS;
    if (last !== undefined && !goesOn) return { suspects, last };
  }
  return { suspects };
}

async function secondLook(
  audit: Audit,
  suspects: readonly Finding[],
  { client, pause }: ReconcilePorts,
): Promise<Finding[]> {
  await pause(SETTLING_MILLISECONDS);
  await audit.begin?.(suspects);
  const ids = [...new Set(suspects.map(({ id }) => id))];
  const confirmed: Finding[] = [];
  for (let i = 0; i < ids.length; i += ROWS_A_PAGE) {
    const keys = ids.slice(i, i + ROWS_A_PAGE).map((id) => ({ [audit.key]: id }));
    const again = await audit.look(await batchGet(client, audit.table, keys));
    confirmed.push(...again.filter((finding) => suspects.some((before) => isSame(before, finding))));
  }
  return confirmed;
}

const isSame = (one: Finding, other: Finding): boolean =>
  one.id === other.id && one.problem === other.problem && isDeepStrictEqual(one.facts, other.facts);

/** @throws AggregateError when something could not be written: the next audit may rely on it */
async function repairAll(
  { name }: Audit,
  contradictions: readonly Finding[],
  ports: ReconcilePorts,
): Promise<void> {
  const errors: unknown[] = [];
  for (const finding of contradictions) {
    const { id, problem, facts, isUnproven = false } = finding;
    const outcome = await repair(finding, ports).catch((error: unknown) => {
      errors.push(error);
      return 'not repaired';
    });
    const fields = { audit: name, row_id: id, problem, ...facts, outcome };
    if (isUnproven) ports.log.warn('contradiction', fields);
    else ports.log.error('contradiction', fields);
  }
  if (errors.length > 0) throw new AggregateError(errors, `${name}: not everything could be repaired`);
}

/** A contradiction is reported even if it need no longer be repaired, because it should never have been there. */
async function repair({ repair: items }: Finding, { client }: ReconcilePorts): Promise<string> {
  if (items === undefined) return 'reported';
  try {
    await transact(client, items);
    return 'repaired';
  } catch (error) {
    if (error instanceof TransactionRefused) return 'moved meanwhile';
    throw error;
  }
}
