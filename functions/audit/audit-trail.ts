import { type DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet, readableRows, type TellUnreadable } from '../aws/dynamo-reads.ts';
import { anyJsonObject } from '../http/validation.ts';
import { type AuditEntry, auditEntrySchema } from './audit-entry.ts';

const MOST_FIELDS = 50;
const LONGEST_NAME = 64;

const body = v.pipe(v.string(), v.parseJson(), anyJsonObject);

/** The field names of a JSON object; none for any other body. */
export function namesOfFields(bytes: Uint8Array): string[] {
  const parsed = v.safeParse(body, new TextDecoder().decode(bytes));
  if (!parsed.success) return [];
  return (
    Object.keys(parsed.output)
      .slice(0, MOST_FIELDS)
      // A table takes whole characters alone: the caller may have written half of one, and so may the cut.
      .map((name) => name.slice(0, LONGEST_NAME).toWellFormed())
  );
}

const workspaceBody = v.pipe(v.string(), v.parseJson(), v.object({ workspace_id: v.string() }));

/** The workspace that a JSON object names, for a key that may act in any. */
export function workspaceOf(bytes: Uint8Array): string | undefined {
  const parsed = v.safeParse(workspaceBody, new TextDecoder().decode(bytes));
  return parsed.success ? parsed.output.workspace_id : undefined;
}

/**
 * One partition takes a thousand changes a second. There are far fewer, and one partition keeps all of them in order.
 */
const TRAIL = 'trail';
/** The outcomes of entries have the same places in another partition, so that no row is ever written again. */
const OUTCOMES = 'outcomes';
/** So that one call reads at most about one answer of DynamoDB, however rare the wanted action is. */
const ROWS_FILTERED = 1_000;
/** The longest request id in a place: with a name of eight characters, a cursor then has 128 after its time. */
const LONGEST_ID = 119;
const KEPT_SECONDS = 400 * 86_400;

/** Later than every place. */
const LAST = '~';

interface AuditQuery {
  readonly since: Date;
  /** Entries at it are left out. @default there is no end */
  readonly until?: Date;
  /** Undefined for every action. */
  readonly action?: string | undefined;
  /** @default newest first */
  readonly oldestFirst?: boolean;
  /** The place of the last entry of the previous page. */
  readonly cursor?: string | undefined;
  readonly limit: number;
}

type Row = Partial<AuditEntry> & { readonly trail: string; readonly place: string };

const outcomeSchema = v.object({
  place: v.string(),
  ...v.pick(auditEntrySchema, ['status', 'changes']).entries,
});
export type Outcome = Pick<AuditEntry, 'status' | 'changes'>;

/**
 * Who changed what. An entry is written before its change is tried, so that no change is made without one. Rows are only
 * added: nothing may update or delete one.
 */
export class AuditTrail {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * @param name tells the entry from others of the same millisecond, since callers choose the ids of their requests
   * @returns its place, by which it is ended
   */
  async begin(entry: AuditEntry, name: string): Promise<string> {
    const place = `${entry.at}~${entry.request_id.slice(0, LONGEST_ID)}~${name}`;
    const { status: _status, changes: _changes, ...begun } = entry;
    await this.#add({ ...begun, status: null, trail: TRAIL, place });
    return place;
  }

  /** Each entry ends once. */
  end(place: string, outcome: Outcome): Promise<void> {
    return this.#add({ ...outcome, trail: OUTCOMES, place });
  }

  async #add(row: Row): Promise<void> {
    const at = row.place.slice(0, row.place.indexOf('~'));
    const expires_at = Math.floor(Date.parse(at) / 1000) + KEPT_SECONDS;
    await this.#client.send(
      new PutCommand({
        TableName: this.#table,
        Item: { ...row, expires_at },
        ConditionExpression: 'attribute_not_exists(place)',
      }),
    );
  }

  /** `cursor` is null at the end. A page of one action with a cursor may be empty. */
  async list(
    asked: AuditQuery,
    tellUnreadable: TellUnreadable,
  ): Promise<{ entries: AuditEntry[]; cursor: string | null }> {
    // DynamoDB refuses a start outside of the range; there is nothing older than the range.
    if (asked.cursor !== undefined && asked.cursor < asked.since.toISOString())
      return { entries: [], cursor: null };
    const { Items = [], LastEvaluatedKey } = await this.#query(asked);
    const rows = Items.slice(0, asked.limit);
    const outcomes = await this.#outcomesOf(rows, tellUnreadable);
    const whole = rows.map((row) => ({ ...row, id: row.place, ...outcomes.get(row.place) }));
    const entries = [...readableRows(auditEntrySchema, whole, tellUnreadable)];
    const last: unknown = (rows.length < Items.length ? rows.at(-1) : LastEvaluatedKey)?.place;
    return { entries, cursor: typeof last === 'string' ? last : null };
  }

  /** More rows than asked for where they are filtered: DynamoDB's limit counts rows before the filter. */
  #query({ since, until, action, oldestFirst = false, cursor, limit }: AuditQuery) {
    const isFiltered = action !== undefined;
    return this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        KeyConditionExpression: '#trail = :trail AND #place BETWEEN :since AND :until',
        FilterExpression: isFiltered ? '#action = :action' : undefined,
        ExpressionAttributeNames: {
          '#trail': 'trail',
          '#place': 'place',
          ...(isFiltered && { '#action': 'action' }),
        },
        ExpressionAttributeValues: {
          ':trail': TRAIL,
          ':since': since.toISOString(),
          ':until': until?.toISOString() ?? LAST,
          ...(isFiltered && { ':action': action }),
        },
        ExclusiveStartKey: cursor === undefined ? undefined : { trail: TRAIL, place: cursor },
        ScanIndexForward: oldestFirst,
        ConsistentRead: true,
        Limit: isFiltered ? ROWS_FILTERED : limit,
      }),
    );
  }

  /** Rows of older versions have their outcome themselves. */
  async #outcomesOf(rows: readonly Record<string, unknown>[], tellUnreadable: TellUnreadable) {
    const keys = rows.map(({ place }) => ({ trail: OUTCOMES, place }));
    const found = await batchGet(this.#client, this.#table, keys);
    const outcomes = [...readableRows(outcomeSchema, found, tellUnreadable)];
    return new Map<unknown, Outcome>(outcomes.map((outcome) => [outcome.place, outcome]));
  }
}
