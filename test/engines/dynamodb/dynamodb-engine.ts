import * as v from 'valibot';
import type { VirtualClock } from '../clock.ts';
import { JsonService, operation, ServiceError } from '../service.ts';
import { batches } from './batches.ts';
import { reads } from './reads.ts';
import { Table, type TableSettings, tableSchema } from './table.ts';
import { transactions } from './transactions.ts';
import { singleWrites } from './writes.ts';

export interface DynamoDbSettings extends Omit<TableSettings, 'now'> {
  readonly clock: VirtualClock;
  /** How long a transaction holds its items, in milliseconds. @default 5 */
  readonly transactionMilliseconds?: number;
}

/** The part of DynamoDB that Genway uses, in memory. */
export class DynamoDbEngine {
  readonly service: JsonService;
  readonly #tables = new Map<string, Table>();
  readonly #settings: DynamoDbSettings;

  constructor(settings: DynamoDbSettings) {
    this.#settings = settings;
    const { clock, transactionMilliseconds = 5 } = settings;
    this.service = new JsonService('dynamodb', {
      CreateTable: operation(tableSchema, (schema) => {
        this.createTable(schema);
        return { TableDescription: { TableName: schema.TableName, TableStatus: 'ACTIVE' } };
      }),
      ...reads(this.table),
      ...singleWrites(this.table),
      ...batches(this.table),
      ...transactions(this.table, clock, transactionMilliseconds),
    });
  }

  get #now(): number {
    return this.#settings.clock.now().getTime();
  }

  /** @param schema as in CreateTable */
  createTable(schema: unknown): Table {
    const table = new Table(v.parse(tableSchema, schema), { ...this.#settings, now: () => this.#now });
    this.#tables.set(table.name, table);
    return table;
  }

  tables = (): Table[] => [...this.#tables.values()];

  /** @throws ServiceError */
  table = (name: string): Table => {
    const table = this.#tables.get(name);
    if (table !== undefined) return table;
    throw new ServiceError('ResourceNotFoundException', 'Requested resource not found');
  };

  /** Deletes all expired rows. On AWS the time of that is unknown, so tests call this themselves. */
  expireRows(): void {
    for (const table of this.tables()) {
      if (table.expiresBy === undefined) continue;
      for (const item of table.items(true).all()) {
        const expiry = item[table.expiresBy];
        if (expiry !== undefined && 'N' in expiry && Number(expiry.N) < this.#now / 1000) {
          table.write(table.keyOf(item), undefined);
        }
      }
    }
  }
}
