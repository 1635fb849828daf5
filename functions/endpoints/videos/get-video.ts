import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { systemClock } from '../../clock.ts';
import { readEnvironment } from '../../environment.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { json } from '../../http/response.ts';
import { findVisibleJob } from '../../videos/jobs/find-job.ts';
import type { Job } from '../../videos/jobs/job.ts';
import { JobStore } from '../../videos/jobs/job-store.ts';
import { describeJob } from '../../videos/jobs/job-view.ts';

const { JOBS_TABLE } = readEnvironment({ JOBS_TABLE: v.string() });
const jobs = new JobStore(dynamo, JOBS_TABLE);

export const handler = routeHandler('get-video', async (call) => {
  const job = await findVisibleJob(call, jobs);
  return json(200, describeJob(job, call.publicUrl), waitingTime(job, systemClock()));
});

/** When the next look is worth it; nothing once the job has ended. */
function waitingTime({ phase, due_at: dueAt }: Job, now: Date): Record<string, string> {
  if (phase === 'settled') return {};
  return { 'retry-after': String(Math.max(1, Math.ceil((dueAt - now.getTime()) / 1000))) };
}
