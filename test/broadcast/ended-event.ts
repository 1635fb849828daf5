import * as v from 'valibot';
import { type StoredDestination, storedDestinationSchema } from '../../functions/broadcast/destination.ts';
import { micros } from '../../functions/money/micros.ts';
import type { Job } from '../../functions/videos/jobs/job.ts';
import { settlementEvent } from '../../functions/videos/jobs/job-event.ts';
import type { WebhookEvent } from '../../functions/webhooks/events/event.ts';
import { aJob, START } from '../videos/jobs/job-fixture.ts';

/** 30.25 seconds after the submit. */
export const END = new Date(START.getTime() + 30_250);

const DONE = {
  status: 'completed',
  phase: 'settled',
  generation_id: 'gen_01jg000000000000000000000b',
  cost_micros: micros(30_000),
  completed_at: END.toISOString(),
} as const satisfies Partial<Job>;

/** The event of a completed job. @param change the fields of the job that a test sets */
export function endedEvent(change: Partial<Job> = {}): WebhookEvent {
  return settlementEvent(aJob({ estimate_micros: micros(40_000), ...DONE, ...change }), END);
}

/** Where everything is sent, as earlier versions have stored it. @param change the fields that a test sets */
export const aDestination = (change: Partial<StoredDestination> = {}): StoredDestination =>
  v.parse(storedDestinationSchema, {
    workspace_id: 'ws-1',
    url: 'https://traces.genway.dev/v1/traces',
    header_names: [],
    updated_at: START.toISOString(),
    ...change,
  });
