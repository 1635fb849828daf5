import * as v from 'valibot';
import { count, instant } from '../../http/answer-schemas.ts';
import { attemptSchema, EVENT_ID, EVENT_STATUSES, nextAttempt, type WebhookEvent } from './event.ts';

/** An event and its delivery, as answers show it. */
export const shownDeliverySchema = v.object({
  id: v.pipe(v.string(), v.regex(EVENT_ID)),
  webhook_id: v.optional(
    v.pipe(
      v.string(),
      v.regex(EVENT_ID),
      v.description(
        'The `webhook-id` of the event. Absent if it equals `id`. It differs only after an operator let a failed job continue',
      ),
    ),
  ),
  type: v.pipe(v.string(), v.description('Type of the event, such as `video.generation.completed`')),
  job_id: v.optional(v.pipe(v.string(), v.description('ID of the job. Absent for test events'))),
  status: v.picklist(EVENT_STATUSES),
  host: v.pipe(
    v.nullable(v.string()),
    v.description(
      'Host of the `callback_url` of the job, or of the URL given for the test. Null if the default callback URL applies',
    ),
  ),
  created_at: instant,
  redelivery: v.pipe(v.boolean(), v.description('Whether a redelivery was requested')),
  next_attempt: v.pipe(
    v.nullable(count),
    v.description('Number of the next attempt, counted like `attempt` in `history`. Null if there is none'),
  ),
  next_attempt_at: v.nullable(instant),
  attempts: v.pipe(count, v.description('Number of attempts so far, redeliveries included')),
  history: v.array(attemptSchema),
  body: v.pipe(v.string(), v.description('Exact body of the event, as text')),
});

/** What a recovery has done, and where the next call goes on. */
export const recoveredSchema = v.object({
  recovered: v.pipe(count, v.description('Number of events that this request queued')),
  has_more: v.pipe(
    v.boolean(),
    v.description(
      'Whether more events follow. If so, repeat the request with the same `since` and the `cursor` of this response',
    ),
  ),
  cursor: v.optional(v.string()),
});

/** Of its own address only the host is shown: the rest may contain a token. */
export function describeDelivery(event: WebhookEvent): v.InferOutput<typeof shownDeliverySchema> {
  const { callback_url: url } = event;
  const isPending = event.status === 'pending';
  return {
    id: event.id,
    webhook_id: event.webhook_id,
    type: event.type,
    job_id: event.job_id,
    status: event.status,
    host: url === undefined ? null : new URL(url).host,
    created_at: event.created_at,
    redelivery: event.is_redelivery,
    next_attempt: isPending ? nextAttempt(event) : null,
    next_attempt_at: isPending ? new Date(event.due_at).toISOString() : null,
    attempts: event.attempts,
    history: event.history,
    body: event.body,
  };
}
