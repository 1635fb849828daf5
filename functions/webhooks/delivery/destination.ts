import type { WebhookEvent } from '../events/event.ts';
import type { Streak } from './host-health.ts';
import type { Answer, judgeAnswer, Verdict } from './judge-answer.ts';

/** Where a row of the outbox is sent, how, and what the answer means. */
export interface Destination {
  /** The message that the log has for each attempt. */
  readonly message: 'webhook attempted' | 'trace attempted';
  readonly url: string;
  readonly host: string;
  /** Rows with the same lane share places and a circuit, within their workspace. Contains no spaces. */
  readonly lane: string;
  post(event: WebhookEvent, requestId: string): Promise<Answer>;
  readonly judge: typeof judgeAnswer;
  /** Also called for an attempt that is left out because the circuit is open. */
  countAttempt(outcome: string, verdict: Verdict): void;
  /** Does what else a failed attempt requires, beyond the next one. */
  noteFailure(event: WebhookEvent, verdict: Verdict, failing: Streak, now: Date): Promise<void>;
}

/** Null for a row that has nowhere to go. */
export type DestinationOf = (event: WebhookEvent) => Promise<Destination | null>;
