import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../../clock.ts';
import { linksRecorder, rateLimiter, routeHandler } from '../../deployed/gate.ts';
import { deployedLinks } from '../../deployed/links.ts';
import { jobStore, visibleJobs } from '../../deployed/videos.ts';
import { HELD_POLLS } from '../../fair-shares.ts';
import type { Principal } from '../../http/call.ts';
import { isOpenaiClient } from '../../http/compatibility.ts';
import { json } from '../../http/response.ts';
import { mayDo } from '../../http/scope.ts';
import type { RequestedVideo } from '../../videos/catalogue/requested-video.ts';
import { describeOpenaiVideo } from '../../videos/dialect/openai-video.ts';
import { awaitChange, grantedWait, usefulIn, wantedWait } from '../../videos/jobs/await-change.ts';
import type { Job } from '../../videos/jobs/job.ts';
import { describeWithLinks } from '../../videos/jobs/job-view.ts';
import { routes } from './definition.ts';

const jobs = jobStore();
const limiter = rateLimiter();
const makeLink = deployedLinks('resultsBucket');
const findJob = visibleJobs();
const recordLinks = linksRecorder(routes['get-video']);

export const handler = routeHandler(routes['get-video'], async (call) => {
  const found = await findJob(call);
  const wanted = wantedWait(call.headers.prefer);
  const takeShare = () => limiter.takeOfWorkspace(found.workspace_id, 'wait', HELD_POLLS);
  const wait = wanted && (await grantedWait(found, wanted, takeShare));
  const look = () => jobs.look(found.id);
  const job = wait === undefined ? found : await awaitChange(found, wait, { look, now: systemClock, pause });
  const applied = wait === undefined ? {} : { 'preference-applied': `wait=${wait}` };
  const now = systemClock();
  const seconds = usefulIn(job, now);
  const headers = { ...applied, ...(seconds !== undefined && { 'retry-after': String(seconds) }) };
  if (isOpenaiClient(call.headers)) {
    return json(200, describeOpenaiVideo(job, await readRequest(job, call.principal)), headers);
  }
  const shown = await describeWithLinks(job, call, makeLink, now);
  return recordLinks(call, job.workspace_id, [shown], json(200, shown, headers));
});

/**
 * What was asked for, where the caller may read content. A management key does that only where it is recorded. A poll gets
 * its answer where the request cannot be read, too.
 */
async function readRequest(job: Job, principal: Principal): Promise<RequestedVideo | undefined> {
  if (principal.kind === 'management' || !mayDo(principal, 'content')) return undefined;
  return jobs.requestOf(job).catch(() => undefined);
}
