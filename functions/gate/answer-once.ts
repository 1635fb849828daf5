import { createHash } from 'node:crypto';
import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type NamedItems, removeAll, type TransactItem } from '../aws/dynamo-writes.ts';
import type { AuthenticatedCall } from '../http/call.ts';
import { invalidField } from '../http/errors.ts';
import type { ApiResponse } from '../http/response.ts';
import { REPLAYS_BY_WORKSPACE } from '../tables.ts';

const KEPT_MILLISECONDS = 24 * 60 * 60 * 1000;
const HEADER = 'Idempotency-Key';
const REPLAYED = { 'idempotent-replayed': 'true' };

/**
 * Items that an operation adds to its transaction, so that its answer can be given again.
 * @param about the workspace with which the answer is deleted @default the one that the request acts in
 */
export type Remember = (answer: ApiResponse<string>, about?: string) => NamedItems;

export interface ReplayPorts {
  readonly replays: Pick<ReplayStore, 'find' | 'insertion'>;
  readonly now: () => Date;
}

/**
 * Answers a request once per `Idempotency-Key` of a workspace and route. The same request gets the first answer again,
 * also with another key, because a key may be rotated between two tries. The answer is saved in the transaction that
 * performs the change, so a second request never has to wait for a first. A refused request saves nothing.
 * @param workspaceId that the request acts in
 * @throws InvalidRequest when the idempotency key came with another body before
 */
export async function answerOnce(
  call: AuthenticatedCall,
  { replays, now }: ReplayPorts,
  operation: (remember: Remember) => Promise<ApiResponse<string>>,
  workspaceId = call.principal.workspaceId,
): Promise<ApiResponse<string>> {
  const idempotencyKey = readIdempotencyKey(call);
  if (idempotencyKey === undefined) return operation(() => ({}));
  const id = digest([workspaceId, call.method, call.pattern, idempotencyKey].join('\n'));
  const fingerprint = digest(call.body);
  const first = await replays.find(id, now());
  if (first !== undefined) return replay(first, fingerprint);
  const until = now().getTime() + KEPT_MILLISECONDS;
  try {
    return await operation((answer, about = workspaceId) => ({
      replay: replays.insertion({ id, fingerprint, ...answer, until, workspace_id: about }, now()),
    }));
  } catch (error) {
    // An equal request may have been quicker, or ours may have succeeded although its answer was lost.
    const other = await replays.find(id, now());
    if (other === undefined) throw error;
    return replay(other, fingerprint);
  }
}

function replay(
  { status, headers, body, ...remembered }: Remembered,
  fingerprint: string,
): ApiResponse<string> {
  if (remembered.fingerprint !== fingerprint) {
    throw invalidField(HEADER, 'was already used with another body; send a new Idempotency-Key');
  }
  return { status, headers: { ...headers, ...REPLAYED }, body };
}

function readIdempotencyKey(call: AuthenticatedCall): string | undefined {
  const value = call.headers['idempotency-key'];
  if (value !== undefined && !/^[!-~]{1,255}$/.test(value)) {
    throw invalidField(HEADER, 'must be 1 to 255 visible ASCII characters');
  }
  return value;
}

const digest = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

const rememberedSchema = v.object({
  id: v.string(),
  /** The SHA-256 of the request's body. */
  fingerprint: v.string(),
  status: v.number(),
  headers: v.record(v.string(), v.string()),
  body: v.string(),
  /** Milliseconds since the epoch. The table's own expiry deletes up to two days late. */
  until: v.number(),
  /** The workspace with which it is deleted. Rows of older versions have none, and expire. */
  workspace_id: v.exactOptional(v.string()),
});
export type Remembered = Readonly<v.InferOutput<typeof rememberedSchema>>;

/** Answers that may be given again. */
export class ReplayStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async find(id: string, now: Date): Promise<Remembered | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { id }, ConsistentRead: true }),
    );
    const remembered = Item === undefined ? undefined : v.parse(rememberedSchema, Item);
    return remembered !== undefined && remembered.until > now.getTime() ? remembered : undefined;
  }

  /** Removes the answers about a deleted workspace. */
  removeAll(workspaceId: string): AsyncGenerator<void> {
    return removeAll(this.#client, {
      TableName: this.#table,
      IndexName: REPLAYS_BY_WORKSPACE,
      KeyConditionExpression: 'workspace_id = :workspace',
      ExpressionAttributeValues: { ':workspace': workspaceId },
      ProjectionExpression: 'id',
    });
  }

  /** Saves an answer in the transaction that performs the change; of several equal ones only the first succeeds. */
  insertion(remembered: Remembered, now: Date): TransactItem {
    return {
      Put: {
        TableName: this.#table,
        Item: { ...remembered, expires_at: Math.ceil(remembered.until / 1000) },
        ConditionExpression: 'attribute_not_exists(id) OR #until <= :now',
        ExpressionAttributeNames: { '#until': 'until' },
        ExpressionAttributeValues: { ':now': now.getTime() },
      },
    };
  }
}
