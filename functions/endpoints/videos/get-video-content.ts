import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { deployedLinks } from '../../deployed/links.ts';
import { visibleJobs } from '../../deployed/videos.ts';
import { linkAnswer } from '../../downloads/link-answer.ts';
import { query } from '../../http/call.ts';
import { Conflict, Gone, NotFound } from '../../http/errors.ts';
import { isGone } from '../../videos/jobs/job.ts';
import { jobContentQuery } from '../../videos/jobs/job-queries.ts';
import { routes } from './definition.ts';

const makeLink = deployedLinks('resultsBucket');
const findJob = visibleJobs();

export const handler = routeHandler(routes['get-video-content'], async (call) => {
  const job = await findJob(call);
  const { index } = query(call, jobContentQuery);
  if (job.purged_at !== undefined) throw new Gone('The video was deleted with its workspace');
  if (job.outputs === undefined) {
    throw new Conflict(`The video is ${job.status}; its content exists once it is completed`);
  }
  if (isGone(job, systemClock())) {
    throw new Gone(`The video was kept for ${days(job.kept_days)} and is gone`);
  }
  const output = job.outputs[index];
  if (output === undefined) {
    throw new NotFound(`index: ${index} does not exist; this job has ${job.outputs.length} video(s), from 0`);
  }
  return linkAnswer(call, await makeLink({ key: output.key, shownAs: 'video' }, systemClock()));
});

const days = (count = 0) => (count === 1 ? 'one day' : `${count} days`);
