import type { VirtualClock } from '../clock.ts';
import { JsonService, operation } from '../json-service.ts';
import { batches } from './batches.ts';
import { getItem, getSchema, query, querySchema, scan, scanSchema } from './reads.ts';
import { tableSchema } from './schema.ts';
import { singleWrites } from './single-writes.ts';
import type { Lag } from './table.ts';
import { Tables } from './tables.ts';
import { transactWrite } from './transact-write.ts';

export interface DynamoDbSettings {
  readonly clock: VirtualClock;
  /** The delay until indexes and inconsistent reads see a change. @default none */
  readonly lag?: Lag;
  /** How long a transaction holds its items. @default 5 */
  readonly transactionMilliseconds?: number;
  /** Whether tables count the write units that AWS would bill. @default true */
  readonly countsUnits?: boolean;
}

/** The part of DynamoDB that Genway uses, in memory. */
export class DynamoDbEngine {
  readonly tables: Tables;
  readonly service: JsonService;

  constructor(settings: DynamoDbSettings) {
    const { clock, lag = () => 0, transactionMilliseconds = 5, countsUnits = true } = settings;
    const tables = new Tables(clock, { lag, countsUnits });
    this.tables = tables;
    this.service = new JsonService('dynamodb', {
      CreateTable: operation(tableSchema, (schema) => {
        tables.create(schema);
        return { TableDescription: { TableName: schema.TableName, TableStatus: 'ACTIVE' } };
      }),
      GetItem: operation(getSchema, (input) => getItem(tables.get(input.TableName), input)),
      Query: operation(querySchema, (input) => query(tables.get(input.TableName), input)),
      Scan: operation(scanSchema, (input) => scan(tables.get(input.TableName), input)),
      ...singleWrites(tables),
      ...batches(tables),
      ...transactWrite(tables, clock, transactionMilliseconds),
    });
  }
}
