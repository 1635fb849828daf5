import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../../clock.ts';
import { rateLimiter, routeHandler } from '../../deployed/gate.ts';
import { deployedLinks } from '../../deployed/links.ts';
import { jobStore, visibleJobs } from '../../deployed/videos.ts';
import { HELD_POLLS } from '../../fair-shares.ts';
import { isOpenaiClient } from '../../http/compatibility.ts';
import { json } from '../../http/response.ts';
import { describeOpenaiVideo } from '../../videos/dialect/openai-video.ts';
import { awaitChange, grantedWait, wantedWait } from '../../videos/jobs/await-change.ts';
import type { Job } from '../../videos/jobs/job.ts';
import { describeWithLinks } from '../../videos/jobs/job-view.ts';
import { routes } from './definition.ts';

const jobs = jobStore();
const limiter = rateLimiter();
const makeLink = deployedLinks('resultsBucket');
const findJob = visibleJobs();

export const handler = routeHandler(routes['get-video'], async (call) => {
  const found = await findJob(call);
  const wanted = wantedWait(call.headers.prefer);
  const takeShare = () => limiter.takeOfWorkspace(found.workspace_id, 'wait', HELD_POLLS);
  const wait = wanted && (await grantedWait(found, wanted, takeShare));
  const look = () => jobs.look(found.id);
  const job = wait === undefined ? found : await awaitChange(found, wait, { look, now: systemClock, pause });
  const applied = wait === undefined ? {} : { 'preference-applied': `wait=${wait}` };
  const shown = isOpenaiClient(call.headers)
    ? describeOpenaiVideo(job)
    : await describeWithLinks(job, call.publicUrl, makeLink, systemClock());
  return json(200, shown, { ...waitingTime(job, systemClock()), ...applied });
});

/** A copy usually takes seconds; how long it may take says nothing about that. */
const COPYING_SECONDS = 5;

/** The seconds until the next poll is useful; none once the job has ended. */
function waitingTime({ phase, due_at: dueAt }: Job, now: Date): Record<string, string> {
  if (phase === 'settled') return {};
  if (phase === 'copying') return { 'retry-after': String(COPYING_SECONDS) };
  return { 'retry-after': String(Math.max(1, Math.ceil((dueAt - now.getTime()) / 1000))) };
}
