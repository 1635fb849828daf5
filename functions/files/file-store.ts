import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet } from '../aws/dynamo-reads.ts';
import {
  checksOf,
  refusalOf,
  refusedBy,
  removeAll,
  type TransactItem,
  TransactionRefused,
  transact,
  updateWhere,
  type WriteCondition,
  type WriteConditions,
} from '../aws/dynamo-writes.ts';
import { PermissionDenied } from '../http/errors.ts';
import { shardOf } from '../sweeping/sparse-index.ts';
import { type DueFile, isExpired, type StoredFile, storedFileSchema } from './file.ts';
import type { ListQuery } from './file-requests.ts';

/** The row that counts a workspace's bytes; it sorts before every file's id. */
const USAGE = '#usage';
const usageSchema = v.object({ bytes: v.pipe(v.number(), v.safeInteger()) });
const BEFORE_ALL_ROWS = '#';
const BEFORE_ALL_FILES = 'gw_file_';
const BEHIND_ALL_FILES = 'gw_file`';

/** The end of a file that nobody may see, also by a clock that is wrong. */
const UNSEEN = new Date(0).toISOString();

/** Longer than any upload takes. */
export const UPLOAD_MILLISECONDS = 60 * 60_000;

type FileKey = Pick<StoredFile, 'workspace_id' | 'id'>;
type FileSize = Pick<StoredFile, 'workspace_id' | 'size_bytes'>;

export interface FilePage {
  readonly files: StoredFile[];
  /** What all files of the workspace take. Only the first page of all files, oldest first, knows it. */
  readonly storedBytes: number | undefined;
}

export class StorageFull extends PermissionDenied {
  constructor(quotaBytes: number, cause: unknown) {
    super(
      `The workspace’s storage of ${quotaBytes} bytes has no room for this file; delete files or cancel uploads first`,
      {
        cause,
      },
    );
  }
}

/**
 * The workspace is the partition key, so the id of somebody else's file is never found. A file's row and the
 * workspace's count of bytes change together or not at all.
 */
export class FileStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #now: () => Date;

  constructor(client: DynamoDBDocumentClient, table: string, now: () => Date) {
    this.#client = client;
    this.#table = table;
    this.#now = now;
  }

  /**
   * Writes the row of a file whose object is about to be written, so that no object is ever without a row. Nobody sees
   * it. Unless `create` completes it, the sweeper removes it in an hour, and the object with it.
   */
  async announce({ workspace_id, id }: FileKey): Promise<void> {
    const now = this.#now();
    const nothing = { filename: '', mime_type: '', size_bytes: 0, purpose: '' };
    const times = { created_at: now.toISOString(), expires_at: UNSEEN };
    const file: StoredFile = { workspace_id, id, ...nothing, ...times };
    const due_at = now.getTime() + UPLOAD_MILLISECONDS;
    await this.#client.send(
      new PutCommand({
        TableName: this.#table,
        Item: { ...file, announced: true, active: shardOf(id), due_at },
        // When an answer is lost, the SDK repeats the write.
        ConditionExpression: 'attribute_not_exists(id) OR announced = :true',
        ExpressionAttributeValues: { ':true': true },
      }),
    );
  }

  /**
   * Completes a file that was announced.
   * @param others what else must hold at the moment of the write
   * @throws StorageFull when the workspace would exceed its quota, or the refusal of a condition: then the file is
   * certainly not stored. After any other error it may be.
   */
  async create(file: StoredFile, quotaBytes: number, others: WriteConditions = {}): Promise<void> {
    const conditions = { ...others, usage: this.room(file, quotaBytes) };
    try {
      await transact(this.#client, { ...checksOf(conditions), file: this.completion(file) });
    } catch (error) {
      // A write that is repeated because its answer was lost meets its own success.
      if (!(error instanceof TransactionRefused) || refusedBy(error, 'file')) {
        if (await this.#exists(file)) return;
        throw error;
      }
      throw refusalOf(error, conditions);
    }
  }

  /** The item that completes a file which was announced. */
  completion(file: StoredFile): TransactItem {
    return {
      Put: {
        TableName: this.#table,
        Item: { ...file, ...sweptWhenExpired(file) },
        ConditionExpression: 'announced = :true',
        ExpressionAttributeValues: { ':true': true },
      },
    };
  }

  /** Takes room in the workspace, if that has it. */
  room({ workspace_id, size_bytes }: FileSize, quotaBytes: number): WriteCondition {
    const update = this.#addToUsage(workspace_id, size_bytes);
    const values = { ...update.ExpressionAttributeValues, ':room': quotaBytes - size_bytes };
    const ConditionExpression = 'attribute_not_exists(#bytes) OR #bytes <= :room';
    return {
      check: { Update: { ...update, ConditionExpression, ExpressionAttributeValues: values } },
      refusal: (cause) => new StorageFull(quotaBytes, cause),
    };
  }

  /** The item that gives the room back. */
  release({ workspace_id, size_bytes }: FileSize): TransactItem {
    return { Update: this.#addToUsage(workspace_id, -size_bytes) };
  }

  #addToUsage(workspaceId: string, bytes: number) {
    return {
      TableName: this.#table,
      Key: { workspace_id: workspaceId, id: USAGE },
      UpdateExpression: 'ADD #bytes :change',
      ExpressionAttributeNames: { '#bytes': 'bytes' },
      ExpressionAttributeValues: { ':change': bytes },
    };
  }

  /** Whether the write has taken effect; false also where that cannot be told. */
  async #exists({ workspace_id, id }: StoredFile): Promise<boolean> {
    return (await this.find(workspace_id, id).catch(() => undefined)) !== undefined;
  }

  /**
   * From now on nobody sees the file. The sweeper removes what is left of it, unless somebody else does.
   * @param token a new one each time
   * @returns false when it had ended already
   */
  end({ workspace_id, id }: FileKey, token: string): Promise<boolean> {
    const now = this.#now();
    const update = {
      TableName: this.#table,
      Key: { workspace_id, id },
      UpdateExpression: 'SET expires_at = :unseen, #active = :shard, due_at = :due, #token = :token',
      ConditionExpression: 'attribute_exists(id) AND (attribute_not_exists(expires_at) OR expires_at > :now)',
      ExpressionAttributeNames: { '#active': 'active', '#token': 'token' },
      ExpressionAttributeValues: {
        ':unseen': UNSEEN,
        ':now': now.toISOString(),
        ':shard': shardOf(id),
        ':due': now.getTime(),
        ':token': token,
      },
    };
    return updateWhere(this.#client, update, token);
  }

  /**
   * Ends a file that is due to be removed: from now on no upload completes it.
   * @returns false when it is no longer due, which the index may not show yet
   */
  endDue({ workspace_id, id, due_at }: DueFile): Promise<boolean> {
    return updateWhere(this.#client, {
      TableName: this.#table,
      Key: { workspace_id, id },
      UpdateExpression: 'SET expires_at = :unseen REMOVE announced',
      ConditionExpression: 'due_at = :due',
      ExpressionAttributeValues: { ':unseen': UNSEEN, ':due': due_at },
    });
  }

  /** Gives back the room that the file took. Returns false when somebody else has removed it. */
  async remove(file: FileKey & FileSize): Promise<boolean> {
    const { workspace_id, id } = file;
    const row = { Key: { workspace_id, id }, ConditionExpression: 'attribute_exists(id)' };
    try {
      await transact(this.#client, {
        file: { Delete: { TableName: this.#table, ...row } },
        usage: this.release(file),
      });
      return true;
    } catch (error) {
      if (refusedBy(error, 'file')) return false;
      throw error;
    }
  }

  /** Removes the rows of a deleted workspace, its count of bytes too. */
  removeAll(workspaceId: string): AsyncGenerator<void> {
    return removeAll(this.#client, {
      TableName: this.#table,
      KeyConditionExpression: 'workspace_id = :workspace',
      ExpressionAttributeValues: { ':workspace': workspaceId },
      ProjectionExpression: 'workspace_id, id',
    });
  }

  async find(workspaceId: string, id: string): Promise<StoredFile | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({
        TableName: this.#table,
        Key: { workspace_id: workspaceId, id },
        ConsistentRead: true,
      }),
    );
    const file = Item === undefined ? undefined : v.parse(storedFileSchema, Item);
    return file !== undefined && isExpired(file, this.#now()) ? undefined : file;
  }

  /** Those of at most 100 files that exist. */
  async findAll(
    workspaceId: string,
    ids: readonly string[],
    { purpose, newestFirst = false }: Pick<ListQuery, 'purpose' | 'newestFirst'> = {},
  ): Promise<StoredFile[]> {
    const keys = ids.map((id) => ({ workspace_id: workspaceId, id }));
    const files = v.parse(v.array(storedFileSchema), await batchGet(this.#client, this.#table, keys));
    const isWanted = (file: StoredFile) => purpose === undefined || file.purpose === purpose;
    const found = files.filter((file) => isWanted(file) && !isExpired(file, this.#now()));
    const oldestFirst = found.sort((a, b) => (a.id < b.id ? -1 : 1));
    return newestFirst ? oldestFirst.reverse() : oldestFirst;
  }

  /** In the order of their uploads, starting after a file. Reads on until the page is full or nothing is left. */
  async list(workspaceId: string, query: ListQuery): Promise<FilePage> {
    const found: StoredFile[] = [];
    let storedBytes = isFirstOfAll(query) ? 0 : undefined;
    for await (const rows of this.#pages(workspaceId, query)) {
      const usage = rows.find(({ id }) => id === USAGE);
      if (usage !== undefined) storedBytes = v.parse(usageSchema, usage).bytes;
      const files = v.parse(v.array(storedFileSchema), usage === undefined ? rows : rows.slice(1));
      found.push(...files.filter((file) => !isExpired(file, this.#now())));
      if (found.length >= query.limit) break;
    }
    return { files: found.slice(0, query.limit), storedBytes };
  }

  /** Usually the first rows are the wanted ones; if not, the rest is read by the megabyte. */
  async *#pages(workspaceId: string, list: ListQuery): AsyncGenerator<Record<string, unknown>[]> {
    const { after, limit, purpose, newestFirst = false } = list;
    const query = {
      TableName: this.#table,
      KeyConditionExpression: 'workspace_id = :workspace AND id BETWEEN :first AND :last',
      ScanIndexForward: !newestFirst,
      ...(purpose === undefined ? {} : { FilterExpression: 'purpose = :purpose' }),
      ExpressionAttributeValues: {
        ':workspace': workspaceId,
        ':first': isFirstOfAll(list) ? BEFORE_ALL_ROWS : BEFORE_ALL_FILES,
        ':last': BEHIND_ALL_FILES,
        ...(purpose === undefined ? {} : { ':purpose': purpose }),
      },
      ConsistentRead: true,
    };
    let page: Pick<QueryCommandInput, 'Limit' | 'ExclusiveStartKey'> | undefined = {
      Limit: isFirstOfAll(list) ? limit + 1 : limit,
      ...(after !== undefined && { ExclusiveStartKey: { workspace_id: workspaceId, id: after } }),
    };
    while (page !== undefined) {
      const answer: QueryCommandOutput = await this.#client.send(new QueryCommand({ ...query, ...page }));
      yield answer.Items ?? [];
      const { LastEvaluatedKey: last } = answer;
      page = last && { ExclusiveStartKey: last };
    }
  }
}

/** The first page of all files, oldest first, begins one row earlier, at the workspace's count of bytes. */
const isFirstOfAll = ({ after, purpose, newestFirst = false }: ListQuery): boolean =>
  after === undefined && purpose === undefined && !newestFirst;

/** The attributes by which the sweeper finds a file once it has expired. */
const sweptWhenExpired = ({ id, expires_at: end }: StoredFile) =>
  end === undefined ? {} : { active: shardOf(id), due_at: Date.parse(end) };
