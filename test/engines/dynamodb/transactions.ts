import * as v from 'valibot';
import type { VirtualClock } from '../clock.ts';
import { operation, ServiceError } from '../service.ts';
import { type Item, invalid, itemSize } from './value.ts';
import { type FindTable, LOCKED, transactedSchema, transactedWrite, type Write } from './writes.ts';

const MOST_WRITES = 100;
const LARGEST_TRANSACTION = 4 * 1024 ** 2;

const transactSchema = v.strictObject({
  TransactItems: v.array(transactedSchema),
  ClientRequestToken: v.optional(v.string()),
});

interface Reason {
  readonly Code: string;
  readonly Message?: string;
  readonly Item?: Item;
}

const NO_REASON: Reason = { Code: 'None' };
const CONFLICT: Reason = { Code: 'TransactionConflict', Message: LOCKED };

/** The reasons for a transaction's end that a single write has as errors. */
const CODES: Readonly<Record<string, string>> = {
  ConditionalCheckFailedException: 'ConditionalCheckFailed',
  ValidationException: 'ValidationError',
};

/** @param milliseconds how long a transaction holds its items */
export function transactions(find: FindTable, clock: VirtualClock, milliseconds: number) {
  const once = rememberingTokens(() => clock.now().getTime());
  return {
    TransactWriteItems: operation(transactSchema, async ({ TransactItems, ClientRequestToken }, fault) => {
      if (fault === 'conflict') throw cancelled(TransactItems.map(() => CONFLICT));
      await once(ClientRequestToken, TransactItems, () => {
        const writes = TransactItems.map((item) => transactedWrite(find, item));
        return perform(writes, () => clock.wait(milliseconds));
      });
      return {};
    }),
  };
}

/**
 * Makes all writes or none, in two steps like DynamoDB: it checks and holds the items, and writes them later. Meanwhile
 * another transaction on one of the items fails.
 * @throws ServiceError
 */
async function perform(writes: readonly Write[], pause: () => Promise<void>): Promise<void> {
  assertPossible(writes);
  const outcomes = prepare(writes);
  for (const { table, key } of writes) table.lock(key);
  await pause();
  for (const { write, after } of outcomes) {
    write.table.unlock(write.key);
    write.table.write(write.key, after, 2);
  }
}

function assertPossible(writes: readonly Write[]): void {
  if (writes.length === 0 || writes.length > MOST_WRITES) {
    throw invalid(`The transaction has ${writes.length} items, not 1 to ${MOST_WRITES}`);
  }
  const ids = writes.map(({ table, key }) => `${table.name} ${JSON.stringify(key)}`);
  if (new Set(ids).size === ids.length) return;
  throw invalid('Transaction request cannot include multiple operations on one item');
}

function prepare(writes: readonly Write[]) {
  const outcomes = writes.map((write) => ({ write, ...outcomeOf(write) }));
  const reasons = outcomes.map(({ reason }) => reason);
  if (reasons.some(({ Code }) => Code !== 'None')) throw cancelled(reasons);
  const size = outcomes.reduce((sum, { after }) => sum + (after === undefined ? 0 : itemSize(after)), 0);
  if (size <= LARGEST_TRANSACTION) return outcomes;
  throw invalid('Aggregated size of all items in transaction cannot exceed 4MB');
}

function outcomeOf({ table, key, outcome }: Write): { after?: Item | undefined; reason: Reason } {
  if (table.isLocked(key)) return { reason: CONFLICT };
  try {
    return { after: outcome(table.items(true).find(key)), reason: NO_REASON };
  } catch (error) {
    const Code = error instanceof ServiceError ? CODES[error.code] : undefined;
    if (Code === undefined || !(error instanceof ServiceError)) throw error;
    return { reason: { Code, Message: error.message, ...error.details } };
  }
}

function cancelled(reasons: readonly Reason[]): ServiceError {
  const codes = reasons.map(({ Code }) => Code).join(', ');
  return new ServiceError(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    400,
    { CancellationReasons: reasons },
  );
}

/** How long the service remembers a transaction's token. */
const KNOWN_MILLISECONDS = 10 * 60_000;

/** Remembers recent transactions, so that a repeated one takes effect only once. */
function rememberingTokens(now: () => number) {
  const known = new Map<string, { readonly request: string; readonly at: number; isDone: boolean }>();
  return async (token: string | undefined, asked: object, run: () => Promise<void>): Promise<void> => {
    if (token === undefined) return run();
    const request = JSON.stringify(asked);
    const earlier = known.get(token);
    if (earlier !== undefined && now() - earlier.at < KNOWN_MILLISECONDS) {
      if (earlier.request !== request) throw reused();
      if (!earlier.isDone) throw inProgress();
      return;
    }
    const entry = { request, at: now(), isDone: false };
    known.set(token, entry);
    try {
      await run();
      entry.isDone = true;
    } catch (error) {
      known.delete(token);
      throw error;
    }
  };
}

const reused = () =>
  new ServiceError(
    'IdempotentParameterMismatchException',
    'The provided request token has already been used for a different request',
  );
const inProgress = () =>
  new ServiceError(
    'TransactionInProgressException',
    'The transaction with the given request token is already in progress',
  );
