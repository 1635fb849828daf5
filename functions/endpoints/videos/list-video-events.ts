import { json } from '../../http/response.ts';
import { routes } from './definition.ts';
import { jobHandler } from './job-handler.ts';

export const handler = jobHandler(routes['list-video-events'], async (_call, { history }) =>
  json(200, { data: history }),
);
