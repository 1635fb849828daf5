import { systemClock } from '../../clock.ts';
import { json } from '../../http/response.ts';
import type { Job } from '../../videos/jobs/job.ts';
import { describeJob } from '../../videos/jobs/job-view.ts';
import { jobHandler } from './job-handler.ts';

export const handler = jobHandler('get-video', async (call, job) =>
  json(200, describeJob(job, call.publicUrl), waitingTime(job, systemClock())),
);

/** A copy takes seconds, as a rule; what it may take says nothing of it. */
const COPYING_SECONDS = 5;

/** When the next look is worth it; nothing once the job has ended. */
function waitingTime({ phase, due_at: dueAt }: Job, now: Date): Record<string, string> {
  if (phase === 'settled') return {};
  if (phase === 'copying') return { 'retry-after': String(COPYING_SECONDS) };
  return { 'retry-after': String(Math.max(1, Math.ceil((dueAt - now.getTime()) / 1000))) };
}
