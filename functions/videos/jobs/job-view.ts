import { microsToUsd } from '../../money/micros.ts';
import type { Job } from './job.ts';

/** A job as callers see it: in answers and in events. Fields appear when they exist, never as null. */
export function describeJob(job: Job, publicUrl: string) {
  const pollingUrl = `/api/v1/videos/${job.id}`;
  return {
    id: job.id,
    polling_url: pollingUrl,
    status: job.status,
    model: job.model,
    ...(job.provider === undefined ? {} : { provider: job.provider }),
    created_at: job.created_at,
    ...(job.generation_id === undefined ? {} : { generation_id: job.generation_id }),
    ...(job.cancel_requested_at === undefined || job.phase === 'settled'
      ? {}
      : { cancel_requested_at: job.cancel_requested_at }),
    ...(job.progress === undefined ? {} : { progress: job.progress }),
    ...(job.error === undefined ? {} : { error: job.error }),
    ...(job.outputs === undefined
      ? {}
      : { unsigned_urls: job.outputs.map((_, index) => `${publicUrl}${pollingUrl}/content?index=${index}`) }),
    ...(job.cost_micros === undefined
      ? {}
      : { usage: { cost: microsToUsd(job.cost_micros), is_byok: job.is_byok } }),
    ...(job.completed_at === undefined ? {} : { completed_at: job.completed_at }),
  };
}
