import type { WebhookEvent } from '../events/event.ts';
import type { Streak } from './host-health.ts';
import type { Answer, judgeAnswer, Verdict } from './judge-answer.ts';

/** Where a row of the outbox goes, how it gets there, and what is made of the answer. */
export interface Destination {
  /** What the log says of each attempt. */
  readonly message: 'webhook attempted' | 'trace attempted';
  readonly url: string;
  readonly host: string;
  /** What shares places and a circuit with it, within its workspace. Without spaces. */
  readonly lane: string;
  post(event: WebhookEvent, requestId: string): Promise<Answer>;
  readonly judge: typeof judgeAnswer;
  /** Also of an attempt that is left out because the circuit is open. */
  countAttempt(outcome: string, verdict: Verdict): void;
  /** What follows from an attempt that failed, beyond the next one. */
  noteFailure(event: WebhookEvent, verdict: Verdict, failing: Streak, now: Date): Promise<void>;
}

/** Null for what has nowhere to go. */
export type DestinationOf = (event: WebhookEvent) => Promise<Destination | null>;
