import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** Something that happens before the read of a row, by the row's number among all that are read. */
export interface Happening {
  readonly before: number;
  readonly happen: () => Promise<unknown>;
}

export const ORDERS = ['forwards', 'backwards'] as const;

/** A batch is no snapshot: from now on, DynamoDB reads the rows of each in this order, and things happen meanwhile. */
export function tearBatches(
  client: DynamoDBDocumentClient,
  order: (typeof ORDERS)[number],
  happenings: readonly Happening[],
): void {
  const coming = happenings.toSorted((one, other) => one.before - other.before);
  let rows = 0;
  client.middlewareStack.add(
    (next) => async (args) => {
      const input: unknown = args.input;
      if (!isBatch(input)) return next(args);
      while ((coming[0]?.before ?? Infinity) <= rows) await coming.shift()?.happen();
      const [[table, { Keys }] = ['', { Keys: [] }]] = Object.entries(input.RequestItems);
      const count = Math.min(Keys.length, (coming[0]?.before ?? Infinity) - rows);
      rows += count;
      const cut = order === 'forwards' ? count : Keys.length - count;
      const ends = [Keys.slice(0, cut), Keys.slice(cut)].map((Keys) => ({
        [table]: { Keys, ConsistentRead: true },
      }));
      const [RequestItems, UnprocessedKeys] = order === 'forwards' ? ends : ends.toReversed();
      const result = await next({ ...args, input: { RequestItems } as typeof args.input });
      return count === Keys.length ? result : { ...result, output: { ...result.output, UnprocessedKeys } };
    },
    { step: 'initialize' },
  );
}

function isBatch(input: unknown): input is { RequestItems: Record<string, { Keys: readonly object[] }> } {
  return typeof input === 'object' && input !== null && 'RequestItems' in input;
}
