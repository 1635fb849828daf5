import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { RowToRead } from '../aws/dynamo-reads.ts';
import type { TransactItem } from '../aws/dynamo-writes.ts';
import { GUARDRAILS_BY_WORKSPACE } from '../tables.ts';
import { type Guardrail, storedGuardrailSchema } from './guardrail.ts';

/** The guardrails that have rules, or had some once. */
export class GuardrailStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** For a read together with other tables' rows. */
  row(id: string): RowToRead {
    return { table: this.#table, key: { id } };
  }

  async find(id: string): Promise<Guardrail | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { id }, ConsistentRead: true }),
    );
    return Item === undefined ? undefined : v.parse(storedGuardrailSchema, Item);
  }

  /** Oldest first. Eventually consistent: one just made may be missing for a moment. */
  async *list(workspaceId: string): AsyncGenerator<Guardrail> {
    const pages = paginateQuery(
      { client: this.#client },
      {
        TableName: this.#table,
        IndexName: GUARDRAILS_BY_WORKSPACE,
        KeyConditionExpression: 'workspace_id = :workspace',
        ExpressionAttributeValues: { ':workspace': workspaceId },
      },
    );
    for await (const { Items = [] } of pages) {
      for (const item of Items) yield v.parse(storedGuardrailSchema, item);
    }
  }

  /** Replaces what was read as `before`. Refused when somebody else has changed it since. */
  replacement(before: Pick<Guardrail, 'version'>, after: Guardrail): TransactItem {
    const Item = { ...after, version: before.version + 1 };
    return { Put: { TableName: this.#table, Item, ...unchanged(before) } };
  }

  /** Refused when somebody else has changed it since it was read. */
  deletion({ id, version }: Pick<Guardrail, 'id' | 'version'>): TransactItem {
    return { Delete: { TableName: this.#table, Key: { id }, ...unchanged({ version }) } };
  }

  /** For a transaction that uses a guardrail of this workspace. */
  belonging(id: string, workspaceId: string): TransactItem {
    return {
      ConditionCheck: {
        TableName: this.#table,
        Key: { id },
        ConditionExpression: 'workspace_id = :workspace',
        ExpressionAttributeValues: { ':workspace': workspaceId },
      },
    };
  }

  /**
   * For a transaction in which a key begins to name a guardrail of its workspace: whoever has read an older version
   * must look again.
   */
  naming(id: string, workspaceId: string): TransactItem {
    return {
      Update: {
        TableName: this.#table,
        Key: { id },
        UpdateExpression: 'SET #version = #version + :one',
        ConditionExpression: 'workspace_id = :workspace',
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: { ':one': 1, ':workspace': workspaceId },
      },
    };
  }

  /** Removes all guardrails of a deleted workspace. It may run again. */
  async clear(workspaceId: string): Promise<void> {
    for await (const { id } of this.list(workspaceId)) {
      await this.#client.send(new DeleteCommand({ TableName: this.#table, Key: { id } }));
    }
  }
}

const unchanged = ({ version }: Pick<Guardrail, 'version'>) =>
  version === 0
    ? { ConditionExpression: 'attribute_not_exists(id)' }
    : {
        ConditionExpression: '#version = :read',
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: { ':read': version },
      };
