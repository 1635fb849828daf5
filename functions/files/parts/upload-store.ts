import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import {
  checksOf,
  refusalOf,
  refusedBy,
  TransactionRefused,
  transact,
  updateWhere,
  type WriteConditions,
} from '../../aws/dynamo-writes.ts';
import { shardOf } from '../../sweeping/sparse-index.ts';
import type { StoredFile } from '../file.ts';
import { type FileStore, UPLOAD_MILLISECONDS } from '../file-store.ts';
import {
  endOfUpload,
  MOST_PARTS,
  roomOf,
  type StoredUpload,
  storedUploadSchema,
  type UploadKey,
} from './upload.ts';

/** Of a part that is stored. */
export interface KeptPart {
  readonly id: string;
  readonly size: number;
  readonly created_at: string;
}

type FileItems = Pick<FileStore, 'completion' | 'room' | 'release'>;

/** Uploads in parts, in the table of the files that they become. */
export class UploadStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #files: FileItems;
  readonly #now: () => Date;

  constructor(client: DynamoDBDocumentClient, table: string, files: FileItems, now: () => Date) {
    this.#client = client;
    this.#table = table;
    this.#files = files;
    this.#now = now;
  }

  /**
   * Begins an upload, and takes the room of its whole file.
   * @throws StorageFull, or the refusal of a condition
   */
  async begin(upload: StoredUpload, quotaBytes: number, others: WriteConditions): Promise<void> {
    const conditions = { ...others, usage: this.#files.room(upload, quotaBytes) };
    const Item = { ...upload, active: shardOf(upload.id) };
    const row = { TableName: this.#table, Item, ConditionExpression: 'attribute_not_exists(id)' };
    try {
      await transact(this.#client, { ...checksOf(conditions), upload: { Put: row } });
    } catch (error) {
      // A write that is repeated because its answer was lost meets its own success.
      if (refusedBy(error, 'upload') && (await this.find(upload.workspace_id, upload.id))) return;
      throw refusalOf(error, conditions);
    }
  }

  async find(workspaceId: string, id: string): Promise<StoredUpload | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({
        TableName: this.#table,
        Key: { workspace_id: workspaceId, id },
        ConsistentRead: true,
      }),
    );
    return Item === undefined ? undefined : v.parse(storedUploadSchema, Item);
  }

  /**
   * Names a part whose object is about to be written, so that no object is ever without a row.
   * @returns false where the upload takes no more parts
   */
  announcePart(upload: StoredUpload, { id, created_at }: Omit<KeptPart, 'size'>): Promise<boolean> {
    return this.#whilePending(upload, {
      UpdateExpression: 'SET parts.#part = :part',
      ConditionExpression: 'size(parts) < :most OR attribute_exists(parts.#part)',
      ExpressionAttributeNames: { '#part': id },
      ExpressionAttributeValues: { ':part': { created_at }, ':most': MOST_PARTS },
    });
  }

  /**
   * Counts a part that is stored.
   * @returns false where the upload takes no more parts, or has no room for this one
   */
  async keepPart(upload: StoredUpload, { id, ...part }: KeptPart): Promise<boolean> {
    const isKept = await this.#whilePending(upload, {
      UpdateExpression: 'SET parts.#part = :part ADD received :size',
      ConditionExpression: 'received <= :room AND attribute_not_exists(parts.#part.#size)',
      ExpressionAttributeNames: { '#part': id, '#size': 'size' },
      ExpressionAttributeValues: {
        ':part': part,
        ':size': part.size,
        ':room': roomOf(upload) - part.size,
      },
    });
    if (isKept) return true;
    // A write that is repeated because its answer was lost meets its own success.
    const found = await this.find(upload.workspace_id, upload.id);
    return found?.parts[id]?.size !== undefined;
  }

  #whilePending(
    upload: StoredUpload,
    { ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues, UpdateExpression }: Change,
  ): Promise<boolean> {
    if (endOfUpload(upload) <= this.#now()) return Promise.resolve(false);
    return updateWhere(this.#client, {
      TableName: this.#table,
      Key: keyOf(upload),
      UpdateExpression,
      ConditionExpression: `#status = :pending AND (${ConditionExpression})`,
      ExpressionAttributeNames: { ...ExpressionAttributeNames, '#status': 'status' },
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ':pending': 'pending' },
    });
  }

  /**
   * Completes the upload and the file that it becomes, which was announced. The file takes the room of the upload.
   * @returns false where the upload has ended otherwise: then the file is certainly not stored. After an error it may be.
   * @throws the refusal of a condition
   */
  async complete(
    upload: StoredUpload,
    file: StoredFile,
    partIds: readonly string[],
    conditions: WriteConditions,
  ): Promise<boolean> {
    const ended = this.#ending(upload, 'completed', ', file_id = :file, part_ids = :parts');
    const values = { ...ended.ExpressionAttributeValues, ':file': file.id, ':parts': partIds };
    try {
      await transact(this.#client, {
        ...checksOf(conditions),
        file: this.#files.completion(file),
        upload: { Update: { ...ended, ExpressionAttributeValues: values } },
      });
      return true;
    } catch (error) {
      if (!(error instanceof TransactionRefused)) throw error;
      const found = await this.find(upload.workspace_id, upload.id);
      if (found?.file_id === file.id) return true;
      if (found === undefined || found.status !== 'pending') return false;
      throw refusalOf(error, conditions);
    }
  }

  /**
   * Ends an upload that becomes no file, and gives back its room.
   * @returns false where it has ended otherwise
   */
  async end(upload: UploadKey & Pick<StoredUpload, 'size_bytes'>, status: 'cancelled' | 'expired') {
    try {
      await transact(this.#client, {
        upload: { Update: this.#ending(upload, status) },
        usage: this.#files.release(upload),
      });
      return true;
    } catch (error) {
      if (!refusedBy(error, 'upload')) throw error;
      return (await this.find(upload.workspace_id, upload.id))?.status === status;
    }
  }

  /** What is left of it is swept once no part can arrive any more. */
  #ending(upload: UploadKey, status: StoredUpload['status'], more = '') {
    return {
      TableName: this.#table,
      Key: keyOf(upload),
      UpdateExpression: `SET #status = :status, due_at = :due${more}`,
      ConditionExpression: '#status = :pending',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':status': status,
        ':pending': 'pending',
        ':due': this.#now().getTime() + UPLOAD_MILLISECONDS,
      } as Record<string, unknown>,
    };
  }

  /** Forgets an upload that has ended. */
  async remove(upload: UploadKey): Promise<void> {
    await this.#client.send(new DeleteCommand({ TableName: this.#table, Key: keyOf(upload) }));
  }
}

type Change = Pick<
  UpdateCommandInput,
  'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

const keyOf = ({ workspace_id, id }: UploadKey) => ({ workspace_id, id });
