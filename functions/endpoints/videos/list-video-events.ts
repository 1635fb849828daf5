import { routeHandler } from '../../deployed/gate.ts';
import { visibleJobs } from '../../deployed/videos.ts';
import { json } from '../../http/response.ts';
import { routes } from './definition.ts';

const findJob = visibleJobs();

export const handler = routeHandler(routes['list-video-events'], async (call) => {
  const { history } = await findJob(call);
  return json(200, { data: history });
});
