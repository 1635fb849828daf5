import * as v from 'valibot';
import { count, instant, url, usd } from '../../http/answer-schemas.ts';
import { FAILURE_TYPES } from './failure-kind.ts';
import { JOB_STATUSES, VIDEO_ID } from './job.ts';
import { WAIT_REASONS } from './job-wait.ts';

/** A result in answers, events and private logs. */
export const shownOutputSchema = v.object({
  content_type: v.literal('video/mp4'),
  size_bytes: count,
  sha256: v.pipe(v.string(), v.description('In hexadecimal digits')),
  width: v.optional(v.pipe(count, v.description('In pixels, as the video itself says'))),
  height: v.optional(count),
  duration: v.optional(v.pipe(v.number(), v.description('In seconds, as the video itself says'))),
});

/** A job in answers and events: a field appears when it exists, and is never null. */
export const shownJobSchema = v.object({
  id: v.pipe(v.string(), v.regex(VIDEO_ID)),
  polling_url: v.pipe(v.string(), v.description('`/api/v1/videos/<id>`')),
  status: v.pipe(v.picklist(JOB_STATUSES), v.description('The last four are final')),
  model: v.pipe(v.string(), v.description('As the submit named it')),
  provider: v.optional(v.pipe(v.string(), v.description('Who serves it; who will, while it is pending'))),
  created_at: instant,
  estimated_cost: v.pipe(
    usd,
    v.description('What is held for it until it has ended, in USD; it never costs more'),
  ),
  metadata: v.optional(v.pipe(v.record(v.string(), v.string()), v.description('As the submit sent it'))),
  warnings: v.optional(
    v.pipe(v.array(v.string()), v.description('What to know of the request although it was accepted')),
  ),
  waiting_for: v.optional(
    v.pipe(
      v.object({ reason: v.picklist(WAIT_REASONS), until: instant }),
      v.description('Why no provider has taken it yet, and when it goes on'),
    ),
  ),
  generation_id: v.optional(v.pipe(v.string(), v.description('From the provider’s acceptance on'))),
  cancel_requested_at: v.optional(
    v.pipe(instant, v.description('Since when the provider has been asked to cancel it')),
  ),
  progress: v.optional(
    v.pipe(v.number(), v.minValue(0), v.maxValue(100), v.description('In percent, as the provider says')),
  ),
  error: v.optional(v.pipe(v.string(), v.description('Why it failed'))),
  error_details: v.optional(
    v.object({
      type: v.picklist(FAILURE_TYPES),
      message: v.string(),
      retryable: v.pipe(v.boolean(), v.description('Whether the same submit may succeed another time')),
    }),
  ),
  unsigned_urls: v.optional(
    v.pipe(v.array(url), v.description('The results, once it is completed. They need the key')),
  ),
  outputs: v.optional(v.array(shownOutputSchema)),
  content_expires_at: v.optional(v.pipe(instant, v.description('From when on the results are gone'))),
  usage: v.optional(
    v.object({
      cost: v.pipe(usd, v.description('What it has cost, in USD')),
      is_byok: v.pipe(v.boolean(), v.description('Whether it ran on a provider key of the workspace')),
    }),
  ),
  completed_at: v.optional(instant),
});

/** Only in answers, never in events: links that need no key. */
export const answeredJobSchema = v.object({
  ...shownJobSchema.entries,
  urls: v.optional(v.pipe(v.array(url), v.description('The results, for an hour, without a key'))),
});

export const estimateSchema = v.object({
  cost: v.pipe(usd, v.description('The most that it may cost: what a submit would hold')),
  currency: v.literal('USD'),
  endpoint: v.pipe(
    v.object({ model: v.string(), provider: v.optional(v.string()) }),
    v.description('What would serve it'),
  ),
  fits: v.pipe(v.boolean(), v.description('Whether a submit could be paid for now')),
  remaining: v.pipe(v.nullable(usd), v.description('The least that any limit leaves; null without one')),
});

export const deletedJobSchema = v.object({
  id: v.pipe(v.string(), v.regex(VIDEO_ID)),
  object: v.literal('video.deleted'),
  deleted: v.literal(true),
});

/** The history of a job, in order. */
export const shownHistorySchema = v.object({
  data: v.array(
    v.object({
      at: instant,
      status: v.picklist(JOB_STATUSES),
      provider: v.optional(
        v.pipe(v.string(), v.description('Who took the job, or, while it is pending, did not')),
      ),
      endpoint: v.optional(v.string()),
      detail: v.optional(v.string()),
    }),
  ),
});
