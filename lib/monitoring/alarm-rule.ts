import type { Measure } from './measure.ts';

/** `page` wakes somebody up: callers are hurt now. `ticket` is for working hours. */
export type Severity = 'page' | 'ticket';

/** The headings of `docs/runbook.md` that alarms lead to. */
export type RunbookPage =
  | 'Requests fail on our side'
  | 'The canary fails'
  | 'A message has failed five times'
  | 'A queue is not being worked off'
  | 'A worker or a sweeper fails'
  | 'A worker is throttled'
  | 'A sweeper does not run'
  | 'A job or an event has been quarantined'
  | 'A row cannot be read'
  | 'Rows contradict each other'
  | 'A provider refuses the stage’s key'
  | 'A provider fails'
  | 'A provider charges more than the catalogue says'
  | 'A table is throttled'
  | 'The upload server is down'
  | 'The upload server fails';

export interface Condition {
  readonly measure: Measure;
  /** It is over this, or under it. */
  readonly over?: number;
  readonly under?: number;
  readonly minutes: number;
  /** How many of the latest periods must be so. @default the latest one */
  readonly periods?: readonly [count: number, of: number];
  /** @default it is as if all were well: no requests and no messages are no failures */
  readonly missing?: 'breaching';
}

export interface AlarmRule {
  readonly id: string;
  readonly severity: Severity;
  readonly title: string;
  readonly page: RunbookPage;
  /** All of them at once. */
  readonly conditions: readonly Condition[];
}
