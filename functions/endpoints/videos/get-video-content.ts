import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { deployedLinks } from '../../deployed/links.ts';
import { visibleJobs } from '../../deployed/videos.ts';
import { linkAnswer } from '../../downloads/link-answer.ts';
import type { Download } from '../../downloads/links.ts';
import { query } from '../../http/call.ts';
import { Conflict, Gone, NotFound } from '../../http/errors.ts';
import { goneAt, isGone, type Job } from '../../videos/jobs/job.ts';
import { jobContentQuery, type Variant } from '../../videos/jobs/job-queries.ts';
import { routes } from './definition.ts';

const makeLink = deployedLinks('resultsBucket');
const findJob = visibleJobs();

export const handler = routeHandler(routes['get-video-content'], async (call) => {
  const job = await findJob(call);
  const { index, variant } = query(call, jobContentQuery);
  if (job.purged_at !== undefined)
    throw new Gone('The workspace of this job was deleted, with all its videos');
  if (job.outputs === undefined) {
    throw new Conflict(
      job.phase === 'settled'
        ? `The job has ended without a video; its status is ${job.status}`
        : `The job is ${job.status}; its videos are available once it is completed`,
    );
  }
  if (isGone(job, systemClock())) {
    throw new Gone(`The video was kept for ${days(job.kept_days)} and has expired`);
  }
  if (index >= job.outputs.length) {
    throw new NotFound(
      `index: ${index} does not exist; the highest index of this job is ${job.outputs.length - 1}`,
    );
  }
  return linkAnswer(call, await makeLink(downloadOf(job, index, variant), systemClock()));
});

function downloadOf(job: Job, index: number, variant: Variant): Download {
  const { outputs, stills } = job;
  const key = variant === 'video' ? outputs?.[index]?.key : stills?.[index]?.[variant];
  if (key === undefined) {
    const state =
      stills === undefined
        ? `has no ${variant} yet; Genway usually adds it a few seconds after the job has completed, if it can be created`
        : `has no ${variant}, usually because the video could not be decoded or is larger than 400 MiB`;
    throw new NotFound(`variant: this video ${state}`);
  }
  return { key, shownAs: variant === 'video' ? 'video' : 'picture', goneAt: goneAt(job) };
}

const days = (count = 0) => (count === 1 ? 'one day' : `${count} days`);
