import { encodeTime } from 'ulid';
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
  const { released_at: releasedAt } = job;
  const content = {
    id: eventIdOf(job.id),
    workspace_id: job.workspace_id,
    job_id: job.id,
    key_hash: job.key_hash,
    type,
    body: JSON.stringify({ type, timestamp, data }),
    ...defined({
      webhook_id: releasedAt === undefined ? undefined : idAfterRelease(job.id, releasedAt),
      callback_url: job.callback_url,
    }),
  };
  return newEvent(content, now);
}

/**
 * A job that was in quarantine has been told of as failed. Under the same id receivers would take its new end for a
 * repetition of that one.
 */
const idAfterRelease = (jobId: string, releasedAt: number): string =>
  `msg_${encodeTime(releasedAt).toLowerCase()}${jobId.slice(-RANDOM_CHARACTERS)}`;

/** Of an id; those before say the time. */
const RANDOM_CHARACTERS = 16;
