import { describeBatches } from './dynamodb/batches.ts';
import { describeConditions } from './dynamodb/conditions.ts';
import { describeItems } from './dynamodb/items.ts';
import { describeLimits } from './dynamodb/limits.ts';
import type { Connect } from './dynamodb/own-table.ts';
import { describeQueries } from './dynamodb/queries.ts';
import { describeTransactions } from './dynamodb/transactions.ts';
import { describeUpdates } from './dynamodb/updates.ts';

/** The behaviour of DynamoDB on which Genway's code depends. */
export function describeDynamoDb(connect: Connect): void {
  for (const describeOne of [
    describeItems,
    describeConditions,
    describeUpdates,
    describeQueries,
    describeTransactions,
    describeBatches,
    describeLimits,
  ]) {
    describeOne(connect);
  }
}
