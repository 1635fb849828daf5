import { type AuthenticatedCall, query } from '../http/call.ts';
import { NotFound } from '../http/errors.ts';
import { jobIdOf } from '../videos/jobs/job.ts';
import { findVisibleJob } from '../videos/jobs/job-store.ts';
import { type Generation, generationOf, generationQuery } from './generation.ts';

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
