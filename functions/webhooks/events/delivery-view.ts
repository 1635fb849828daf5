import { nextAttempt, type WebhookEvent } from './event.ts';

/**
 * An event and its delivery, as the API shows it. Of its own address only the host is shown: the rest may contain a
 * token.
 */
export function describeDelivery(event: WebhookEvent) {
  const { callback_url: url } = event;
  const isPending = event.status === 'pending';
  return {
    id: event.id,
    type: event.type,
    job_id: event.job_id,
    status: event.status,
    /** Null where the workspace's default applies. */
    host: url === undefined ? null : new URL(url).host,
    created_at: event.created_at,
    redelivery: event.is_redelivery,
    next_attempt: isPending ? nextAttempt(event) : null,
    next_attempt_at: isPending ? new Date(event.due_at).toISOString() : null,
    /** All attempts so far, over every redelivery. */
    attempts: event.attempts,
    history: event.history,
    /** As it is sent, byte for byte. */
    body: event.body,
  };
}
