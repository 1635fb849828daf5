import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { shardOf } from '../sparse-index.ts';
import { type Job, jobSchema } from './job.ts';

export class JobStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async create(job: Job): Promise<void> {
    await this.#client.send(
      new PutCommand({
        TableName: this.#table,
        Item: { ...job, active: shardOf(job.id) },
        ConditionExpression: 'attribute_not_exists(id)',
      }),
    );
  }

  /** Consistent: once a caller has seen a state, it never sees an earlier one. */
  async find(id: string): Promise<Job | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { id }, ConsistentRead: true }),
    );
    return Item === undefined ? undefined : v.parse(jobSchema, Item);
  }
}
