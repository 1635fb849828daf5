import { decodeTime } from 'ulid';
import { ProviderError } from '../provider.ts';
import type { Directives } from './directives.ts';

const ULID_LENGTH = 26;

/**
 * Throws what the `submit` directive asks for. The sandbox has no state and cannot count submits. So a fault that
 * should pass does so by the job's age, which the ULID in the job's id tells.
 */
export function throwSubmitFault(directives: Directives, jobId: string, now: Date): void {
  const { submit, submit_lasts_s, retry_after } = directives;
  if (submit === undefined) return;
  if (submit_lasts_s !== undefined && ageInSeconds(jobId, now) >= submit_lasts_s) return;
  switch (submit) {
    case 'timeout_after_accept':
      throw new ProviderError('ambiguous', 'The sandbox accepted the job, but its answer was lost');
    case 429:
      throw new ProviderError('rate_limited', 'The sandbox is over its limit', {
        ...(retry_after !== undefined && { retryAfterSeconds: retry_after }),
      });
    case 500:
      throw new ProviderError('unavailable', 'The sandbox answered 500 and accepted nothing');
    case 402:
      throw new ProviderError('credential', 'The sandbox account is without funds');
  }
}

function ageInSeconds(jobId: string, now: Date): number {
  try {
    return (now.getTime() - decodeTime(jobId.slice(-ULID_LENGTH))) / 1000;
  } catch (cause) {
    throw new ProviderError('refused', 'submit_lasts_s needs a job id that ends in a ULID', { cause });
  }
}
