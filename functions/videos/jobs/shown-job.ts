import * as v from 'valibot';
import { count, instant, url, usd } from '../../http/answer-schemas.ts';
import { FAILURE_TYPES } from './failure-kind.ts';
import { JOB_STATUSES, VIDEO_ID } from './job.ts';
import { WAIT_REASONS } from './job-wait.ts';

/** A result in answers, events and private logs. */
export const shownOutputSchema = v.object({
  content_type: v.literal('video/mp4'),
  size_bytes: count,
  sha256: v.string(),
  width: v.optional(v.pipe(count, v.description('In pixels, as the video itself says'))),
  height: v.optional(count),
  duration: v.optional(v.pipe(v.number(), v.description('In seconds, as the video itself says'))),
});

/** A job in answers and events: a field appears when it exists, and is never null. */
export const shownJobSchema = v.object({
  id: v.pipe(v.string(), v.regex(VIDEO_ID)),
  polling_url: v.pipe(v.string(), v.description('`/api/v1/videos/<id>`')),
  status: v.picklist(JOB_STATUSES),
  model: v.string(),
  provider: v.optional(v.pipe(v.string(), v.description('Who serves it; who will, while it is pending'))),
  created_at: instant,
  estimated_cost: usd,
  metadata: v.optional(v.record(v.string(), v.string())),
  warnings: v.optional(
    v.pipe(v.array(v.string()), v.description('What to know of the request although it was accepted')),
  ),
  waiting_for: v.optional(v.object({ reason: v.picklist(WAIT_REASONS), until: instant })),
  generation_id: v.optional(v.pipe(v.string(), v.description('From the provider’s acceptance on'))),
  cancel_requested_at: v.optional(instant),
  progress: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(100))),
  error: v.optional(v.pipe(v.string(), v.description('Why it failed'))),
  error_details: v.optional(
    v.object({ type: v.picklist(FAILURE_TYPES), message: v.string(), retryable: v.boolean() }),
  ),
  unsigned_urls: v.optional(
    v.pipe(v.array(url), v.description('The results, once it is completed. They need the key')),
  ),
  outputs: v.optional(v.array(shownOutputSchema)),
  content_expires_at: v.optional(v.pipe(instant, v.description('From when on the results are gone'))),
  usage: v.optional(v.object({ cost: usd, is_byok: v.boolean() })),
  completed_at: v.optional(instant),
});

/** Only in answers, never in events: links that need no key. */
export const answeredJobSchema = v.object({
  ...shownJobSchema.entries,
  urls: v.optional(v.pipe(v.array(url), v.description('The results, for an hour, without a key'))),
});

export const estimateSchema = v.object({
  cost: usd,
  currency: v.literal('USD'),
  endpoint: v.object({ model: v.string(), provider: v.optional(v.string()) }),
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
