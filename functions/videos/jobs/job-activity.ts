import type { Activity } from '../../money/activity.ts';
import { micros } from '../../money/micros.ts';
import { findEndpoint } from '../catalogue/catalogue.ts';
import type { Job } from './job.ts';

/** What a job that has just ended adds to the reports of its day. */
export function activityOf(job: Job): Activity {
  const isCompleted = job.status === 'completed';
  return {
    day: (job.completed_at ?? job.updated_at).slice(0, 10),
    workspace_id: job.workspace_id,
    key_hash: job.key_hash,
    model: job.model,
    provider: job.provider ?? findEndpoint(job.model)?.provider ?? 'unknown',
    jobs: 1,
    completed: isCompleted ? 1 : 0,
    seconds: isCompleted ? (job.duration_seconds ?? job.request?.duration_seconds ?? 0) : 0,
    micros: job.cost_micros ?? micros(0),
  };
}
