import * as v from 'valibot';
import { type Json, ProviderError } from '../provider.ts';

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
      v.array(oneOf(POLL_ERRORS), `must be a list of: ${POLL_ERRORS.join(', ')}`),
      v.maxLength(MOST_POLL_ERRORS, `must be at most ${MOST_POLL_ERRORS} long`),
    ),
    [],
  ),
  /** Whole seconds that the sandbox asks to wait, on 429 and while the work is not done. */
  retry_after: v.optional(
    v.pipe(numberUpTo(LONGEST_SECONDS), v.integer('must be whole'), v.minValue(1, 'must be 1 or more')),
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
  return v.picklist(values, `must be one of: ${values.join(', ')}`);
}

function numberUpTo(most: number) {
  const rule = `must be a number from 0 to ${most}`;
  return v.pipe(v.number(rule), v.minValue(0, rule), v.maxValue(most, rule));
}
