import * as v from 'valibot';
import { type AuthenticatedCall, query } from '../http/call.ts';
import { NotFound } from '../http/errors.ts';
import { WORKSPACE_SAYS } from '../http/validation.ts';
import { micros } from '../money/micros.ts';
import { type Job, jobIdOf } from '../videos/jobs/job.ts';
import { findVisibleJob } from '../videos/jobs/job-store.ts';
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
  workspace_id: v.exactOptional(v.pipe(v.string(), v.description(WORKSPACE_SAYS))),
};

const notFound = () => new NotFound('No such generation');

/**
 * The generation that a query names, if the caller may see its job. The answer is the same for somebody else's
 * generation and for one that does not exist.
 */
export async function findGeneration(
  call: AuthenticatedCall,
  jobs: Parameters<typeof findVisibleJob>[1],
  workspaces: Parameters<typeof findVisibleJob>[2],
): Promise<Generation> {
  const { id } = query(call, generationQuery);
  const path = { video: jobIdOf(id) };
  const generation = generationOf(await findVisibleJob({ ...call, path }, jobs, workspaces, notFound));
  // Ids of jobs from older versions do not follow from each other.
  if (generation?.id !== id) throw notFound();
  return generation;
}
