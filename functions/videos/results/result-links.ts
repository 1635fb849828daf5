import type { MakeLink } from '../../downloads/links.ts';
import type { Job } from '../jobs/job.ts';
import { isGone } from '../jobs/retention.ts';

const SECONDS = 3600;

/**
 * Addresses of a job's results that need no key, each valid for an hour; none while there are no results, or once they
 * are gone.
 */
export async function resultLinks(job: Job, makeLink: MakeLink, now: Date): Promise<string[] | undefined> {
  if (job.outputs === undefined || isGone(job, now)) return undefined;
  const links = job.outputs.map(({ key }) => makeLink({ key, shownAs: 'video' }, now, SECONDS));
  return (await Promise.all(links)).map(({ url }) => url);
}
