import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { readEnvironment } from '../../environment.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { json } from '../../http/response.ts';
import { findVisibleJob } from '../../videos/jobs/find-job.ts';
import { JobStore } from '../../videos/jobs/job-store.ts';

const { JOBS_TABLE } = readEnvironment({ JOBS_TABLE: v.string() });
const jobs = new JobStore(dynamo, JOBS_TABLE);

export const handler = routeHandler('list-video-events', async (call) => {
  const { history } = await findVisibleJob(call, jobs);
  return json(200, { data: history });
});
