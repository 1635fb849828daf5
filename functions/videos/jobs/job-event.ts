import { defined } from '../../defined.ts';
import { eventIdOf, newEvent, type WebhookEvent } from '../../webhooks/events/event.ts';
import type { Job } from './job.ts';
import { describeJob } from './job-view.ts';

/** The one event of a job's end. */
export function settlementEvent(job: Job, now: Date): WebhookEvent {
  const type = `video.generation.${job.status}`;
  const timestamp = now.toISOString();
  // Receivers that verify with the deployment's public key know by it that the event is theirs.
  const data = { workspace_id: job.workspace_id, ...describeJob(job, job.public_url) };
  const content = {
    id: eventIdOf(job.id),
    workspace_id: job.workspace_id,
    job_id: job.id,
    type,
    body: JSON.stringify({ type, timestamp, data }),
    ...defined({ callback_url: job.callback_url }),
  };
  return newEvent(content, now);
}
