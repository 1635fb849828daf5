import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { transact } from '../../aws/transact.ts';
import { type QuarantinedRow, QuarantinedRows } from '../../sweeping/quarantined-rows.ts';
import { eventIdOf } from '../../webhooks/events/event.ts';

/** Operators reach the tables with their own credentials, by the stage's outputs. */
export interface QuarantineTables {
  readonly jobs: string;
  readonly events: string;
}

/** The quarantine of jobs, as operators see it. */
export class QuarantinedJobs {
  readonly #client: DynamoDBDocumentClient;
  readonly #tables: QuarantineTables;
  readonly #rows: QuarantinedRows;

  constructor(client: DynamoDBDocumentClient, tables: QuarantineTables) {
    this.#client = client;
    this.#tables = tables;
    this.#rows = new QuarantinedRows(client, tables.jobs);
  }

  list = (): AsyncGenerator<QuarantinedRow> => this.#rows.list();

  /**
   * Lets workers try again: the job is as it was, and due at once. The event of its end is taken back, so that its new
   * end can be reported. Its money stays released: it holds nothing any more.
   * @returns false when there is no such job in quarantine
   */
  async release(id: string, now: Date): Promise<boolean> {
    const job = await this.#rows.releasing(id, { holds: [], released_at: now.getTime() }, now);
    if (job === undefined) return false;
    const event = { Delete: { TableName: this.#tables.events, Key: { id: eventIdOf(id) } } };
    await transact(this.#client, { job, event });
    return true;
  }
}
