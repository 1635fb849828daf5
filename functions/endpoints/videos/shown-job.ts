import { systemClock } from '../../clock.ts';
import { deployedLinks } from '../../deployed/links.ts';
import type { AuthenticatedCall } from '../../http/call.ts';
import { isOpenaiClient } from '../../http/compatibility.ts';
import { describeOpenaiVideo } from '../../videos/dialect/openai-video.ts';
import type { Job } from '../../videos/jobs/job.ts';
import { describeJob, resultLinks } from '../../videos/jobs/job-view.ts';

/**
 * A job as answers show it: with links to its results that need no key (no webhook has those), or as OpenAI's clients
 * read it.
 */
export function shownJobs() {
  const makeLink = deployedLinks('resultsBucket');
  return async (job: Job, { headers, publicUrl }: AuthenticatedCall) => {
    if (isOpenaiClient(headers)) return describeOpenaiVideo(job);
    const urls = await resultLinks(job, makeLink, systemClock());
    return { ...describeJob(job, publicUrl), urls };
  };
}
