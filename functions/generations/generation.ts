import * as v from 'valibot';
import { ITS_WORKSPACE } from '../http/validation.ts';
import { micros } from '../money/micros.ts';
import type { Job } from '../videos/jobs/job.ts';
import { describeOutput, failureDetails } from '../videos/jobs/job-view.ts';

/** What a provider has made, or was to make, for a job: the record that reports, logs and traces of it share. */
export type Generation = NonNullable<ReturnType<typeof generationOf>>;

/** Undefined for a job that no provider has taken (yet). */
export function generationOf(job: Job) {
  if (job.generation_id === undefined) return undefined;
  return {
    id: job.generation_id,
    job_id: job.id,
    workspace_id: job.workspace_id,
    key_hash: job.key_hash,
    /** The model as the caller has named it, and the endpoint that served it. */
    model: job.model,
    endpoint: job.endpoint,
    provider: job.provider,
    is_byok: job.is_byok,
    upstream_id: job.upstream_id,
    user: job.user,
    session_id: job.session_id,
    trace: job.trace,
    status: job.status,
    created_at: job.created_at,
    /** When its provider accepted it. */
    accepted_at: job.history.find(({ status }) => status === 'in_progress')?.at,
    completed_at: job.completed_at,
    cost_micros: job.cost_micros ?? micros(0),
    failure: job.error === undefined ? undefined : failureDetails(job, job.error),
    outputs: (job.outputs ?? []).map(describeOutput),
  };
}

/** The query of `GET /generation` and `GET /generation/content`. */
export const generationQuery = {
  id: v.pipe(v.string('must be a string'), v.description('`generation_id` of a job')),
  workspace_id: v.exactOptional(v.pipe(v.string(), v.description(ITS_WORKSPACE))),
};
