import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { TransactionRefused } from './conditions.ts';
import { jitteredPause } from './jittered-pause.ts';

/** One item of a transaction, made by the store that owns the table. */
export type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** The items of a transaction by name, so that a refusal can be asked about by name. */
export type NamedItems = Readonly<Record<string, TransactItem | readonly TransactItem[] | undefined>>;

/** All waits together take at most five seconds; every caller has twenty or more. */
const ATTEMPTS = 10;
const FIRST_WAIT_MILLISECONDS = 25;
const LONGEST_WAIT_MILLISECONDS = 800;

/**
 * Writes all items or none. DynamoDB cancels a transaction that meets another one on the same row, even if no condition
 * failed, and the SDK does not try again. This does, with growing, jittered waits.
 * @throws TransactionRefused when a condition does not hold
 */
export async function transact(client: DynamoDBDocumentClient, named: NamedItems): Promise<void> {
  const items = Object.entries(named).flatMap(([name, item]) =>
    item === undefined ? [] : [item].flat().map((each) => ({ name, item: each })),
  );
  for (let attempt = 1; ; attempt++) {
    try {
      await client.send(new TransactWriteCommand({ TransactItems: items.map(({ item }) => item) }));
      return;
    } catch (error) {
      const reasons = error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];
      // A failed condition is final, even if another row of the transaction was only busy.
      const refused = items.flatMap(({ name }, index) => {
        const { Code, Item } = reasons[index] ?? {};
        return Code === 'ConditionalCheckFailed' ? [{ name, item: Item }] : [];
      });
      if (refused.length > 0) throw new TransactionRefused(refused, error);
      const metAnother = reasons.some(({ Code }) => Code === 'TransactionConflict');
      if (attempt === ATTEMPTS || !metAnother) throw error;
      await jitteredPause(Math.min(LONGEST_WAIT_MILLISECONDS, FIRST_WAIT_MILLISECONDS * 2 ** attempt));
    }
  }
}
