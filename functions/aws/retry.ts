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

export interface Retries {
  readonly attempts: number;
  /** Whether a failure may pass. */
  readonly passes: (error: unknown) => boolean;
  /** Waits after so many failures. */
  readonly pause: (failures: number) => Promise<unknown>;
}

/**
 * Repeats work while its failures may pass.
 * @throws the failure that will not pass, or the last one
 */
export async function retry<T>(work: () => Promise<T>, { attempts, passes, pause }: Retries): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await work();
    } catch (error) {
      if (failures === attempts || !passes(error)) throw error;
      await pause(failures);
    }
  }
}

type Pause = (milliseconds: number) => Promise<unknown>;

/**
 * For work that must not be lost: while AWS is busy or out of reach, the work is repeated for some fifteen seconds
 * beyond the retries of the client itself.
 */
export const insist = <T>(work: () => Promise<T>, pause: Pause): Promise<T> =>
  retry(work, { attempts: 7, passes: isOverload, pause: (failures) => pause(250 * 2 ** (failures - 1)) });

/** A call that insists each time. */
export const insistently =
  (pause: Pause) =>
  <Arguments extends unknown[], T>(call: (...args: Arguments) => Promise<T>) =>
  (...args: Arguments): Promise<T> =>
    insist(() => call(...args), pause);

/**
 * Repeats work for a minute while AWS denies it. A right that a deployment has just added to a role takes effect some
 * seconds after CloudFormation has called it done.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot.html#troubleshoot_general_eventual-consistency
 */
export const onceAllowed = <T>(work: () => Promise<T>, pause: Pause): Promise<T> =>
  retry(work, { attempts: 13, passes: isDenial, pause: () => pause(5_000) });

/** As KMS, S3 and EC2 say it. */
const DENIALS = ['AccessDeniedException', 'AccessDenied', 'UnauthorizedOperation'];

const isDenial = (error: unknown) => error instanceof Error && DENIALS.includes(error.name);

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
