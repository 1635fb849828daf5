import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { s3 } from '../../aws/s3.ts';
import { systemClock } from '../../clock.ts';
import { readEnvironment } from '../../environment.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { query } from '../../http/call.ts';
import { Conflict, Gone, NotFound } from '../../http/errors.ts';
import { linkAnswer } from '../../http/signed-link.ts';
import { wholeNumber } from '../../http/validation.ts';
import { findVisibleJob } from '../../videos/jobs/find-job.ts';
import { JobStore } from '../../videos/jobs/job-store.ts';
import { isGone } from '../../videos/jobs/retention.ts';
import { ResultStore } from '../../videos/results/result-store.ts';

const { JOBS_TABLE, RESULTS_BUCKET } = readEnvironment({
  JOBS_TABLE: v.string(),
  RESULTS_BUCKET: v.string(),
});
const jobs = new JobStore(dynamo, JOBS_TABLE);
const results = new ResultStore(s3, RESULTS_BUCKET);

export const handler = routeHandler('get-video-content', async (call) => {
  const { index } = query(call, { index: v.optional(wholeNumber(0, 99), '0') });
  const job = await findVisibleJob(call, jobs);
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
  return linkAnswer(call, await results.signedLink(output.key, systemClock()));
});

const days = (count = 0) => (count === 1 ? 'one day' : `${count} days`);
