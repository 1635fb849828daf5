import { systemClock } from '../../clock.ts';
import { linksRecorder, routeHandler } from '../../deployed/gate.ts';
import { deployedLinks } from '../../deployed/links.ts';
import { workspaceStore } from '../../deployed/stores.ts';
import { jobStore } from '../../deployed/videos.ts';
import { isOpenaiClient } from '../../http/compatibility.ts';
import { json } from '../../http/response.ts';
import { describeOpenaiVideos } from '../../videos/dialect/openai-video.ts';
import { askedJobs } from '../../videos/jobs/job-queries.ts';
import { describeWithLinks } from '../../videos/jobs/job-view.ts';
import { actingWorkspace } from '../../workspaces/find-workspace.ts';
import { routes } from './definition.ts';

const jobs = jobStore();
const workspaces = workspaceStore();
const makeLink = deployedLinks('resultsBucket');
const recordLinks = linksRecorder(routes['list-videos']);

export const handler = routeHandler(routes['list-videos'], async (call) => {
  const { named, limit, chosen } = askedJobs(call);
  const workspaceId = await actingWorkspace(call.principal, named, workspaces);
  const page = await jobs.list(workspaceId, chosen, limit);
  if (isOpenaiClient(call.headers)) return json(200, describeOpenaiVideos(page));
  const now = systemClock();
  const data = await Promise.all(page.rows.map((job) => describeWithLinks(job, call, makeLink, now)));
  const answer = json(200, { data, has_more: page.cursor !== null, cursor: page.cursor });
  return recordLinks(call, workspaceId, data, answer);
});
