import { setTimeout as wait } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';

/** One item of a transaction. */
export type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

const ATTEMPTS = 6;
const FIRST_WAIT_MILLISECONDS = 25;

/**
 * A transaction that meets another one on the same row is cancelled, though no condition of it failed; the
 * SDK does not try it again. This does, with growing, jittered waits.
 */
export async function transact(
  client: DynamoDBDocumentClient,
  items: TransactItem[],
  random: () => number = Math.random,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.send(new TransactWriteCommand({ TransactItems: items }));
      return;
    } catch (error) {
      if (attempt === ATTEMPTS || !metAnother(error)) throw error;
      await wait(FIRST_WAIT_MILLISECONDS * 2 ** attempt * random());
    }
  }
}

/** A failed condition is final, also where another row of the transaction was only busy. */
function metAnother(error: unknown): boolean {
  if (!(error instanceof TransactionCanceledException)) return false;
  const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code);
  return codes.includes('TransactionConflict') && !codes.includes('ConditionalCheckFailed');
}
