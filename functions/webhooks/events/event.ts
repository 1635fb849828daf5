import * as v from 'valibot';
import type { RowKind } from '../../sweeping/swept-rows.ts';

/** One try to deliver: what a workspace may see of it, and nothing of what the receiver or its network said. */
export const attemptSchema = v.object({
  at: v.string(),
  /** Within its chain, from 1. */
  attempt: v.number(),
  /** A class of status (`2xx`) or of failure (`timed_out`). */
  outcome: v.string(),
  milliseconds: v.number(),
  /** The receiver got it as `x-request-id`; absent where nothing was sent. */
  request_id: v.exactOptional(v.string()),
});
export type Attempt = v.InferOutput<typeof attemptSchema>;

/** `no_address`: there was none to deliver to, nothing was sent. */
export const EVENT_STATUSES = ['pending', 'delivered', 'failed', 'no_address'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** How far an event is, to the sweeper. Where nobody knows its status there is something left to do. */
export const EVENT_ROWS: RowKind = {
  step: 'token',
  state: 'status',
  ended: EVENT_STATUSES.filter((status) => status !== 'pending'),
};

/**
 * The outbox row of one event: written in the transaction that makes it true, delivered afterwards. The
 * body is fixed here, byte for byte, so that every attempt and redelivery sends and signs the same.
 */
export const webhookEventSchema = v.object({
  id: v.string(),
  workspace_id: v.string(),
  /** Absent for test events. */
  job_id: v.exactOptional(v.string()),
  type: v.string(),
  body: v.string(),
  /** Of the job; without one the workspace's default applies at the time of delivery. */
  callback_url: v.exactOptional(v.string()),
  status: v.picklist(EVENT_STATUSES),
  /** Made so far, over every chain: names the attempt that a message stands for. */
  attempts: v.number(),
  /** Of those, the ones made before the chain that runs now. */
  chain_start: v.number(),
  /** Whether somebody has asked for the chain that runs now. */
  is_redelivery: v.boolean(),
  /** How often this chain met an address or a certificate that may not be trusted. */
  refusals: v.number(),
  /** How often this attempt has been put off. */
  waits: v.optional(v.number(), 0),
  /** Until when one worker alone may attempt, in milliseconds since the epoch; 0 when none does. */
  lease_until: v.number(),
  /** Milliseconds since the epoch. */
  due_at: v.number(),
  history: v.array(attemptSchema),
  created_at: v.string(),
  /** Its place among the workspace's events: by time, then by id. One without is in no list of them. */
  place: v.exactOptional(v.string()),
  /** Seconds since the epoch: when the table lets go of it. */
  expires_at: v.number(),
});
export type WebhookEvent = Readonly<v.InferOutput<typeof webhookEventSchema>>;

const KEPT_SECONDS = 30 * 24 * 3600;
/** When a row of now may go. */
export const expiryAfter = (now: Date): number => Math.floor(now.getTime() / 1000) + KEPT_SECONDS;

type Content = Pick<WebhookEvent, 'id' | 'workspace_id' | 'type' | 'body'> &
  Partial<Pick<WebhookEvent, 'job_id' | 'callback_url'>>;

/** An event to which nothing has happened yet: due at once. */
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

/** The event of a job's end: its id follows from the job's, so a job has one event however often it ends. */
export const eventIdOf = (jobId: string): string => `msg_${jobId.slice('vid_'.length)}`;

/** The number of the attempt to be made next, within its chain. */
export const nextAttempt = ({ attempts, chain_start: before }: WebhookEvent): number => attempts - before + 1;
