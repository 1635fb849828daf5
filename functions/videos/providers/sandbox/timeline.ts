import { ProviderError, type ProviderState } from '../provider.ts';
import type { Directives } from './directives.ts';
import { outputsOf } from './sandbox-outputs.ts';
import type { SandboxWork } from './sandbox-work.ts';

const QUEUED_SECONDS = 1;
const LONGEST_DEFAULT_RUN_SECONDS = 6;
/** As long as pollers usually wait between polls, so that they meet each of the errors. */
const ERROR_SLOT_SECONDS = 5;

/**
 * A pure function of the work and the time, so that the answer is the same after a restart and in every process: queued
 * for one second, running for the latency, then over. `signal` ends the drawing of an output that is being read.
 */
export function stateAt(work: SandboxWork, now: Date, signal: AbortSignal): ProviderState {
  const { clip, directives } = work;
  const elapsed = (now.getTime() - work.acceptedAt.getTime()) / 1000;
  const run = directives.latency_s ?? Math.min(clip.durationSeconds, LONGEST_DEFAULT_RUN_SECONDS);
  throwPollError(directives, elapsed);
  if (elapsed < QUEUED_SECONDS) return { state: 'queued', ...retryAfter(directives) };
  if (elapsed < QUEUED_SECONDS + run) {
    const progress = Math.floor((100 * (elapsed - QUEUED_SECONDS)) / run);
    return { state: 'running', progress, ...retryAfter(directives) };
  }
  return finalState(work, signal);
}

/**
 * Entry i answers every poll from i to i + 1 slots after acceptance, whatever the state. A slot is 5 s, or
 * `retry_after` where that is longer, so that a poller that obeys it meets the next entry too.
 */
function throwPollError({ poll_errors, retry_after }: Directives, elapsed: number): void {
  const slot = Math.max(ERROR_SLOT_SECONDS, retry_after ?? 0);
  const status = poll_errors[Math.floor(elapsed / slot)];
  if (status === 429) {
    throw new ProviderError('rate_limited', 'The sandbox is over its limit', {
      ...(retry_after !== undefined && { retryAfterSeconds: retry_after }),
    });
  }
  if (status === 500) throw new ProviderError('unavailable', 'The sandbox answered 500');
}

function finalState({ clip, directives }: SandboxWork, signal: AbortSignal): ProviderState {
  const { outcome } = directives;
  switch (outcome) {
    case 'failed':
      return { state: 'failed', reason: 'The sandbox was asked to fail' };
    case 'moderated':
      return { state: 'failed', reason: 'The sandbox was asked to refuse the prompt', moderated: true };
    case 'expired':
      return { state: 'expired', reason: 'The sandbox was asked to let the work expire' };
    case 'cancelled':
      return { state: 'cancelled', reason: 'The sandbox was asked to cancel the work' };
    case 'garbage_status':
      return { state: 'running', ...retryAfter(directives) };
    default:
      return { state: 'succeeded', outputs: outputsOf(clip, outcome, signal) };
  }
}

function retryAfter({ retry_after }: Directives): { retryAfterSeconds?: number } {
  return retry_after === undefined ? {} : { retryAfterSeconds: retry_after };
}
