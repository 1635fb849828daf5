import * as v from 'valibot';

/**
 * The outbox row of one event: written in the transaction that makes it true, delivered afterwards. The
 * body is fixed here, byte for byte, so that every attempt and redelivery sends and signs the same.
 */
export const webhookEventSchema = v.object({
  id: v.string(),
  workspace_id: v.string(),
  job_id: v.string(),
  type: v.string(),
  body: v.string(),
  /** Of the job; without one the workspace's default applies at the time of delivery. */
  callback_url: v.exactOptional(v.string()),
  /** `none`: nobody has named an address to deliver to. */
  status: v.picklist(['pending', 'delivered', 'failed', 'none']),
  attempts: v.number(),
  /** Milliseconds since the epoch. */
  due_at: v.number(),
  created_at: v.string(),
});
export type WebhookEvent = v.InferOutput<typeof webhookEventSchema>;
