import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet } from '../aws/dynamo-reads.ts';
import type { TransactItem } from '../aws/dynamo-writes.ts';

const blockSchema = v.object({ id: v.string(), first: v.string(), counts: v.record(v.string(), v.number()) });
export const rootSchema = v.object({ list: v.string(), version: v.number(), blocks: v.array(blockSchema) });
export type Root = Readonly<v.InferOutput<typeof rootSchema>>;
const leafSchema = v.object({
  list: v.string(),
  /** The list's version when this row was written. */
  version: v.number(),
  entries: v.record(v.string(), v.string()),
});
export type Leaf = Readonly<v.InferOutput<typeof leafSchema>>;

/** A list has one row that counts its blocks, the root, and for each block a row of its entries, a leaf. */
export class ListRows {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async roots(lists: readonly string[]): Promise<Map<string, Root>> {
    const rows = await this.#read(lists);
    return new Map(v.parse(v.array(rootSchema), rows).map((root) => [root.list, root]));
  }

  async leaves(keys: readonly string[]): Promise<Map<string, Leaf>> {
    const leaves = v.parse(v.array(leafSchema), await this.#read(keys));
    return new Map(leaves.map((leaf) => [leaf.list, leaf]));
  }

  #read(keys: readonly string[]): Promise<Record<string, unknown>[]> {
    return batchGet(
      this.#client,
      this.#table,
      keys.map((list) => ({ list })),
    );
  }

  /** Refused when the list has changed since it was read. */
  rootPut({ list, version, blocks }: Root) {
    return {
      TableName: this.#table,
      Item: { list, version, blocks },
      ConditionExpression: version === 1 ? 'attribute_not_exists(#list)' : '#version = :read',
      ExpressionAttributeNames: version === 1 ? { '#list': 'list' } : { '#version': 'version' },
      ...(version === 1 ? {} : { ExpressionAttributeValues: { ':read': version - 1 } }),
    };
  }

  leafPut(list: string, id: string, leaf: Omit<Leaf, 'list'>) {
    return { TableName: this.#table, Item: { list: leafKey(list, id), ...leaf } };
  }

  /** Refused when the list has changed since it was read. */
  rootDelete(list: string, version: number): TransactItem {
    return {
      Delete: {
        TableName: this.#table,
        Key: { list },
        ConditionExpression: '#version = :read',
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: { ':read': version },
      },
    };
  }

  leafDelete(list: string, id: string): TransactItem {
    return { Delete: { TableName: this.#table, Key: { list: leafKey(list, id) } } };
  }
}

export const leafKey = (list: string, id: string) => `${list}#${id}`;
