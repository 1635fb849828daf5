import { type DynamoDBDocumentClient, GetCommand, paginateQuery, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { readableRows, type TellUnreadable } from '../aws/dynamo-reads.ts';
import { type TransactItem, transact } from '../aws/dynamo-writes.ts';
import { RateLimited } from '../http/errors.ts';
import { type Approval, approvalSchema } from './approval.ts';

/** All are in one partition: a few wait at a time, and they are listed together. */
const LISTING = 'approval';

/** As many as one hand may ask for in a day, so that a stolen key does not bury what others have asked for. */
const MOST_OF_A_LINE = 100;

const endsSchema = v.array(v.object({ ends_at: v.string() }));

/** Changes that wait for a second key. What one asks for never changes; it is decided once. */
export class ApprovalStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** @throws RateLimited */
  async insert(approval: Approval): Promise<void> {
    await this.#assertRoom(approval);
    const change = JSON.stringify(approval.change);
    const expires_at = Math.ceil(Date.parse(approval.ends_at) / 1000);
    const Item = { ...approval, change, listing: LISTING, expires_at };
    const Put = { TableName: this.#table, Item, ConditionExpression: 'attribute_not_exists(id)' };
    // The condition of a single write would refuse its own repetition after an answer that was lost.
    await transact(this.#client, { approval: { Put } });
  }

  /** Several at once may pass it together, so a few more than the limit may wait. */
  async #assertRoom({ line, asked_at }: Approval): Promise<void> {
    const pages = paginateQuery(
      { client: this.#client },
      {
        TableName: this.#table,
        KeyConditionExpression: 'listing = :listing',
        FilterExpression: 'line = :line AND ends_at > :now',
        ExpressionAttributeValues: { ':listing': LISTING, ':line': line, ':now': asked_at },
        ProjectionExpression: 'ends_at',
        // Whoever asks too often meets their own rows first, which may be large.
        ScanIndexForward: false,
        ConsistentRead: true,
      },
    );
    const ends: string[] = [];
    for await (const { Items = [] } of pages) {
      ends.push(...v.parse(endsSchema, Items).map(({ ends_at }) => ends_at));
      const freesRoom = ends.toSorted().at(-MOST_OF_A_LINE);
      if (freesRoom === undefined) continue;
      const seconds = Math.ceil((Date.parse(freesRoom) - Date.parse(asked_at)) / 1000);
      throw new RateLimited(
        `This key and the other keys of its line may together request approval for at most ${MOST_OF_A_LINE} changes in 24 hours; try again in ${seconds} s. A line is a key that no other key created, with its descendants and replacements`,
        { headers: { 'retry-after': String(seconds) } },
      );
    }
  }

  /** A consistent read. */
  async find(id: string, now: Date): Promise<Approval | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { listing: LISTING, id }, ConsistentRead: true }),
    );
    const approval = Item === undefined ? undefined : v.parse(approvalSchema, Item);
    // The table's own expiry deletes up to two days late.
    return approval !== undefined && approval.ends_at > now.toISOString() ? approval : undefined;
  }

  /** Newest first, without those that have ended. `cursor` is null at the end. */
  async list(
    { before, limit, now }: { readonly before?: string | undefined; limit: number; now: Date },
    tellUnreadable: TellUnreadable,
  ): Promise<{ approvals: Approval[]; cursor: string | null }> {
    const { Items = [], LastEvaluatedKey } = await this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        KeyConditionExpression: 'listing = :listing',
        ExpressionAttributeValues: { ':listing': LISTING },
        ExclusiveStartKey: before === undefined ? undefined : { listing: LISTING, id: before },
        ScanIndexForward: false,
        ConsistentRead: true,
        Limit: limit,
      }),
    );
    const read = [...readableRows(approvalSchema, Items, tellUnreadable)];
    const last: unknown = LastEvaluatedKey?.id;
    return {
      approvals: read.filter(({ ends_at }) => ends_at > now.toISOString()),
      cursor: typeof last === 'string' ? last : null,
    };
  }

  /** Holds once for each approval, and before its end alone. */
  decision(id: string, status: 'approved' | 'refused', by: string, now: Date): TransactItem {
    return {
      Update: {
        TableName: this.#table,
        Key: { listing: LISTING, id },
        UpdateExpression: 'SET #status = :status, decided_by = :by, decided_at = :now',
        ConditionExpression: '#status = :pending AND ends_at > :now',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':status': status,
          ':by': by,
          ':now': now.toISOString(),
          ':pending': 'pending',
        },
      },
    };
  }
}
