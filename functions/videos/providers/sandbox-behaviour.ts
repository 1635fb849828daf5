import { decodeTime } from 'ulid';
import * as v from 'valibot';
import { type Json, ProviderError, type ProviderOutput, type ProviderState } from './provider.ts';
import { type Clip, renderClip } from './sandbox/render-clip.ts';

const OUTCOMES = [
  'completed',
  'failed',
  'moderated',
  'expired',
  'cancelled',
  'done_without_url',
  'garbage_status',
  'truncated_bytes',
  'html_instead_of_mp4',
] as const;
const SUBMIT_FAULTS = ['timeout_after_accept', 429, 500, 402] as const;
const POLL_ERRORS = [429, 500] as const;
const MOST_POLL_ERRORS = 20;
const LONGEST_SECONDS = 3600;
const WHOLE_SECONDS = `must be a whole number from 1 to ${LONGEST_SECONDS}`;

/**
 * `provider.options.sandbox`: how the sandbox should behave, so that each way in which a provider fails can be tried.
 */
const directives = {
  /** Seconds that the work runs after it was queued; without it, the clip's duration up to 6. */
  latency_s: v.optional(numberUpTo(LONGEST_SECONDS)),
  /** How the work ends. `garbage_status` never ends: an unknown status counts as running. */
  outcome: v.optional(oneOf(OUTCOMES), 'completed'),
  /** The answers to polls, one for each slot of time from acceptance on. */
  poll_errors: v.optional(
    v.pipe(
      v.array(oneOf(POLL_ERRORS), `must be a list; each item must be one of ${POLL_ERRORS.join(', ')}`),
      v.maxLength(MOST_POLL_ERRORS, `must have at most ${MOST_POLL_ERRORS} items`),
    ),
    [],
  ),
  /** Whole seconds that the sandbox asks to wait, on 429 and while the work is not done. */
  retry_after: v.optional(
    v.pipe(
      v.number(WHOLE_SECONDS),
      v.integer(WHOLE_SECONDS),
      v.minValue(1, WHOLE_SECONDS),
      v.maxValue(LONGEST_SECONDS, WHOLE_SECONDS),
    ),
  ),
  /** How submits are answered, if they are not accepted. */
  submit: v.optional(oneOf(SUBMIT_FAULTS)),
  /** Seconds from the job's creation after which `submit` no longer applies; without it, it always does. */
  submit_lasts_s: v.optional(numberUpTo(LONGEST_SECONDS)),
};

/** The message is about unknown keys, because only objects get here. */
export const directivesSchema = v.strictObject(
  directives,
  `is not known; supported: ${Object.keys(directives).join(', ')}`,
);

export type Directives = v.InferOutput<typeof directivesSchema>;

/** Throws `refused`, with the field and what is supported, for anything the sandbox does not know. */
export function parseDirectives(options: { readonly [key: string]: Json }): Directives {
  const result = v.safeParse(directivesSchema, options, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  const field = ['provider.options.sandbox', v.getDotPath(issue)].filter((part) => part !== null).join('.');
  throw new ProviderError('refused', `${field}: ${issue.message}`);
}

function oneOf<const Values extends readonly (string | number)[]>(values: Values) {
  return v.picklist(values, `must be one of ${values.join(', ')}`);
}

function numberUpTo(most: number) {
  const rule = `must be a number from 0 to ${most}`;
  return v.pipe(v.number(rule), v.minValue(0, rule), v.maxValue(most, rule));
}

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
      throw new ProviderError('ambiguous', 'The sandbox accepted the job, but its response was lost');
    case 429:
      throw new ProviderError('rate_limited', 'The sandbox has reached its rate limit', {
        ...(retry_after !== undefined && { retryAfterSeconds: retry_after }),
      });
    case 500:
      throw new ProviderError('unavailable', 'The sandbox returned 500 and accepted nothing');
    case 402:
      throw new ProviderError('credential', 'The sandbox account has no funds');
  }
}

function ageInSeconds(jobId: string, now: Date): number {
  try {
    return (now.getTime() - decodeTime(jobId.slice(-ULID_LENGTH))) / 1000;
  } catch (cause) {
    throw new ProviderError('refused', 'submit_lasts_s needs a job ID that ends in a ULID', { cause });
  }
}

/** Work that the sandbox has accepted: everything from which its states and its clip are computed later. */
export interface SandboxWork {
  readonly acceptedAt: Date;
  readonly clip: Clip;
  readonly directives: Directives;
}

const QUEUED_SECONDS = 1;
const LONGEST_DEFAULT_RUN_SECONDS = 6;
/** As long as pollers usually wait between polls, so that they meet each of the errors. */
const ERROR_SLOT_SECONDS = 5;

const runSeconds = ({ durationSeconds }: Clip, { latency_s }: Directives): number =>
  latency_s ?? Math.min(durationSeconds, LONGEST_DEFAULT_RUN_SECONDS);

/** How long after its acceptance work is over. */
export const secondsOf = (clip: Clip, directives: Directives): number =>
  QUEUED_SECONDS + runSeconds(clip, directives);

/**
 * A pure function of the work and the time, so that the answer is the same after a restart and in every process: queued
 * for one second, running for the latency, then over. `signal` ends the drawing of an output that is being read.
 */
export function stateAt(work: SandboxWork, now: Date, signal: AbortSignal): ProviderState {
  const { clip, directives } = work;
  const elapsed = (now.getTime() - work.acceptedAt.getTime()) / 1000;
  const run = runSeconds(clip, directives);
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
    throw new ProviderError('rate_limited', 'The sandbox has reached its rate limit', {
      ...(retry_after !== undefined && { retryAfterSeconds: retry_after }),
    });
  }
  if (status === 500) throw new ProviderError('unavailable', 'The sandbox returned 500');
}

function finalState({ clip, directives }: SandboxWork, signal: AbortSignal): ProviderState {
  const { outcome } = directives;
  switch (outcome) {
    case 'failed':
      return { state: 'failed', reason: 'The sandbox was asked to fail' };
    case 'moderated':
      return { state: 'failed', reason: 'The sandbox was asked to refuse the prompt', moderated: true };
    case 'expired':
      return { state: 'expired', reason: 'The sandbox was asked to let the job expire' };
    case 'cancelled':
      return { state: 'cancelled', reason: 'The sandbox was asked to cancel the job' };
    case 'garbage_status':
      return { state: 'running', ...retryAfter(directives) };
    default:
      return { state: 'succeeded', outputs: outputsOf(clip, outcome, signal) };
  }
}

function retryAfter({ retry_after }: Directives): { retryAfterSeconds?: number } {
  return retry_after === undefined ? {} : { retryAfterSeconds: retry_after };
}

/** The results of finished work. Nothing is drawn before the body is read. */
function outputsOf(clip: Clip, outcome: Directives['outcome'], signal: AbortSignal): ProviderOutput[] {
  switch (outcome) {
    case 'done_without_url':
      return [];
    case 'html_instead_of_mp4':
      return [{ kind: 'bytes', body: errorPage() }];
    case 'truncated_bytes':
      return [{ kind: 'bytes', body: withoutLastPiece(renderClip(clip, signal)) }];
    default:
      return [{ kind: 'bytes', body: renderClip(clip, signal) }];
  }
}

/** The end of a file is its last frame, so a file that is cut there still begins correctly. */
async function* withoutLastPiece(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array | undefined;
  for await (const piece of body) {
    if (held !== undefined) yield held;
    held = piece;
  }
}

async function* errorPage(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('<!doctype html><title>502 Bad Gateway</title><h1>502 Bad Gateway</h1>\n');
}
