import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as v from 'valibot';
import { defined } from '../../defined.ts';
import type { RowKind } from '../../sweeping/swept-rows.ts';

/** More than a row has room for. */
const LONGEST_BODY = 1024 * 1024;

/** A body says the same ids again and again. Packed, it leaves its row below a kilobyte, which is one write unit. */
export const packedBody = (body: string): Uint8Array => deflateRawSync(body);

/** The body of a row, as receivers get it. Rows of older versions have the text itself. */
export const bodySchema = v.union([
  v.string(),
  v.pipe(
    v.instance(Uint8Array),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      try {
        return inflateRawSync(dataset.value, { maxOutputLength: LONGEST_BODY }).toString();
      } catch {
        addIssue({ message: `must be raw deflate data of at most ${LONGEST_BODY} bytes uncompressed` });
        return NEVER;
      }
    }),
  ),
]);

/** One attempt to deliver, as far as a workspace may see it: nothing of what the receiver or its network said. */
export const attemptSchema = v.object({
  at: v.pipe(v.string(), v.description('Time of the attempt, in ISO 8601 (UTC)')),
  attempt: v.pipe(v.number(), v.description('Number of the attempt, from 1. A redelivery starts again at 1')),
  outcome: v.pipe(v.string(), v.description('Status class such as `2xx`, or a failure such as `timed_out`')),
  milliseconds: v.pipe(v.number(), v.description('Duration of the attempt, in milliseconds')),
  request_id: v.exactOptional(
    v.pipe(
      v.string(),
      v.description(
        'ID of the request, sent to the receiver as `x-request-id`. Absent if Genway skipped the attempt (`circuit_open`)',
      ),
    ),
  ),
});
export type Attempt = v.InferOutput<typeof attemptSchema>;

/** `no_address`: there was no address, and nothing was sent. */
export const EVENT_STATUSES = ['pending', 'delivered', 'failed', 'no_address'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** How the sweeper judges the progress of an event. With an unknown status there is something left to do. */
export const EVENT_ROWS: RowKind = {
  step: 'token',
  state: 'status',
  ended: EVENT_STATUSES.filter((status) => status !== 'pending'),
};

/**
 * The outbox row of one event, saved in the transaction that it tells of, and delivered afterwards. The body never
 * changes, so that every attempt and redelivery sends and signs the same bytes.
 */
export const webhookEventSchema = v.object({
  id: v.string(),
  /** What its receivers know it by, where that is not its id. */
  webhook_id: v.exactOptional(v.string()),
  workspace_id: v.string(),
  /** Absent for test events. */
  job_id: v.exactOptional(v.string()),
  /** The hash of the job's key, by which destinations of traces choose. */
  key_hash: v.exactOptional(v.string()),
  type: v.string(),
  body: bodySchema,
  /** The job's own; without one the workspace's default applies, as it is at the time of delivery. */
  callback_url: v.exactOptional(v.string()),
  status: v.picklist(EVENT_STATUSES),
  /** All attempts so far, over every chain. A message names its attempt by this number. */
  attempts: v.number(),
  /** Of those, the ones before the current chain. */
  chain_start: v.number(),
  /** Whether somebody has asked for the current chain. */
  is_redelivery: v.boolean(),
  /** How often this chain met an address or a certificate that could not be trusted. */
  refusals: v.number(),
  /** How often this attempt has been put off. */
  waits: v.optional(v.number(), 0),
  /** Until when only one worker may make an attempt, in milliseconds since the epoch; 0 when none does. */
  lease_until: v.number(),
  /** Milliseconds since the epoch. */
  due_at: v.number(),
  history: v.array(attemptSchema),
  created_at: v.string(),
  /** Its place among the workspace's events: by time, then by id. Without one it is in no list. */
  place: v.exactOptional(v.string()),
  /** The Unix second after which the table deletes it. */
  expires_at: v.number(),
});
export type WebhookEvent = Readonly<v.InferOutput<typeof webhookEventSchema>>;

const KEPT_SECONDS = 30 * 24 * 3600;
/** When a row that is written now may be deleted. */
export const expiryAfter = (now: Date): number => Math.floor(now.getTime() / 1000) + KEPT_SECONDS;

type Content = Pick<WebhookEvent, 'id' | 'workspace_id' | 'type' | 'body'> &
  Partial<Pick<WebhookEvent, 'webhook_id' | 'job_id' | 'key_hash' | 'callback_url'>>;

/** An event before anything has happened to it: due at once. */
export function newEvent(content: Content, now: Date): WebhookEvent {
  return {
    ...content,
    status: 'pending',
    attempts: 0,
    chain_start: 0,
    is_redelivery: false,
    refusals: 0,
    waits: 0,
    lease_until: 0,
    due_at: now.getTime(),
    history: [],
    created_at: now.toISOString(),
    place: `${now.toISOString()}~${content.id}`,
    expires_at: expiryAfter(now),
  };
}

export const EVENT_ID = /^msg_[0-9a-hjkmnp-tv-z]{26}$/;
export const PLACE = /^\d{4}-\d\d-\d\dT[\d:.]{12}Z~msg_[0-9a-z]{26}$/;

/** The event of a job's end. Its id follows from the job's, so a job has one event however often it ends. */
export const eventIdOf = (jobId: string): string => `msg_${jobId.slice('vid_'.length)}`;

/**
 * The id of the trace that belongs to the event of this id, in a row of its own beside it. The new end of a released job
 * has one by its `webhook_id`, beside that of the old end.
 */
export const traceIdOf = (eventId: string): string => `trc_${eventId.slice('msg_'.length)}`;

/** The number of the next attempt within its chain. */
export const nextAttempt = ({ attempts, chain_start: before }: WebhookEvent): number => attempts - before + 1;

export const TEST_EVENT = 'webhook.test';

/** An event without a job, to test that a receiver takes and verifies what we send. */
export function testEvent(
  id: string,
  workspaceId: string,
  callbackUrl: string | undefined,
  now: Date,
): WebhookEvent {
  const type = TEST_EVENT;
  const content = {
    id,
    workspace_id: workspaceId,
    type,
    body: JSON.stringify({ type, timestamp: now.toISOString(), data: { workspace_id: workspaceId } }),
    ...defined({ callback_url: callbackUrl }),
  };
  return newEvent(content, now);
}
