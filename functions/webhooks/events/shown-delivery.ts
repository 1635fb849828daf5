import * as v from 'valibot';
import { count, instant } from '../../http/answer-schemas.ts';
import { attemptSchema, EVENT_ID, EVENT_STATUSES } from './event.ts';

/** An event and its delivery, as answers show it. */
export const shownDeliverySchema = v.object({
  id: v.pipe(v.string(), v.regex(EVENT_ID)),
  type: v.string(),
  job_id: v.optional(v.string()),
  status: v.picklist(EVENT_STATUSES),
  host: v.pipe(
    v.nullable(v.string()),
    v.description('Of the job’s own address; null where the workspace’s default applies'),
  ),
  created_at: instant,
  redelivery: v.boolean(),
  next_attempt: v.nullable(count),
  next_attempt_at: v.nullable(instant),
  attempts: count,
  history: v.array(attemptSchema),
  body: v.pipe(v.string(), v.description('As it is sent, byte for byte')),
});

export const recoveredSchema = v.object({
  recovered: count,
  has_more: v.boolean(),
  cursor: v.optional(v.string()),
});
