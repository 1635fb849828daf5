import { isThrottlingError, isTransientError } from '@smithy/core/retry';
import * as v from 'valibot';

/**
 * Repeats work that reads, decides, and writes only if nothing has changed since. Work returns `undefined` when
 * something has; then all of it is done again with what is there now.
 * @throws what `exhausted` gives, when all attempts have met a change by somebody else
 */
export async function retryOnConflict<T>(
  attempts: number,
  work: () => Promise<T | undefined>,
  exhausted: () => Error,
): Promise<T> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const result = await work();
    if (result !== undefined) return result;
  }
  throw exhausted();
}

const ATTEMPTS = 7;
const FIRST_PAUSE = 250;

type Pause = (milliseconds: number) => Promise<void>;

/**
 * For work that must not be lost: while AWS is busy or out of reach, the work is repeated for some fifteen seconds
 * beyond the retries of the client itself.
 */
export async function insist<T>(work: () => Promise<T>, pause: Pause): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !isOverload(error)) throw error;
      await pause(FIRST_PAUSE * 2 ** (attempt - 1));
    }
  }
}

/** A call that insists each time. */
export const insistently =
  (pause: Pause) =>
  <Arguments extends unknown[], T>(call: (...args: Arguments) => Promise<T>) =>
  (...args: Arguments): Promise<T> =>
    insist(() => call(...args), pause);

const ATTEMPTS_A_MINUTE = 13;
const PAUSE = 5_000;

/**
 * Repeats work for a minute while AWS denies it. A right that a deployment has just added to a role takes effect some
 * seconds after CloudFormation has called it done.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot.html#troubleshoot_general_eventual-consistency
 */
export async function onceAllowed<T>(
  work: () => Promise<T>,
  pause: (milliseconds: number) => Promise<unknown>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS_A_MINUTE || !isDenial(error)) throw error;
      await pause(PAUSE);
    }
  }
}

const isDenial = (error: unknown) => error instanceof Error && error.name === 'AccessDeniedException';

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
