import { isThrottlingError, isTransientError } from '@smithy/core/retry';
import * as v from 'valibot';

/** Reasons to cancel a transaction although none of its conditions failed. */
const BUSY = ['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'];

const errorSchema = v.object({
  name: v.string(),
  message: v.string(),
  CancellationReasons: v.optional(v.array(v.object({ Code: v.optional(v.string()) })), []),
});
type ClientError = Parameters<typeof isTransientError>[0];

/** Whether AWS was busy or out of reach, even after its client tried again: the same call may succeed later. */
export function isOverload(thrown: unknown): boolean {
  if (!isError(thrown)) return false;
  const { name, CancellationReasons } = v.parse(errorSchema, thrown);
  return (
    name === 'TransactionConflictException' ||
    isThrottlingError(thrown) ||
    isTransientError(thrown) ||
    CancellationReasons.some(({ Code = '' }) => BUSY.includes(Code))
  );
}

const isError = (thrown: unknown): thrown is ClientError => v.is(errorSchema, thrown);
