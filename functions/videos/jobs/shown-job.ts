import * as v from 'valibot';
import { instant, url, usd } from '../../http/answer-schemas.ts';
import { JOB_STATUSES, VIDEO_ID } from './job.ts';

/** A job as answers and events show it: a field appears when it exists, and is never null. */
export const shownJobSchema = v.object({
  id: v.pipe(v.string(), v.regex(VIDEO_ID)),
  polling_url: v.pipe(v.string(), v.description('`/api/v1/videos/<id>`')),
  status: v.picklist(JOB_STATUSES),
  model: v.string(),
  provider: v.optional(v.pipe(v.string(), v.description('Who serves it; who will, while it is pending'))),
  created_at: instant,
  generation_id: v.optional(v.pipe(v.string(), v.description('From the provider’s acceptance on'))),
  cancel_requested_at: v.optional(instant),
  progress: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(100))),
  error: v.optional(v.pipe(v.string(), v.description('Why it failed'))),
  unsigned_urls: v.optional(
    v.pipe(v.array(url), v.description('The results, once it is completed. They need the key')),
  ),
  usage: v.optional(v.object({ cost: usd, is_byok: v.boolean() })),
  completed_at: v.optional(instant),
});

/** What a job has been, in order. */
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
