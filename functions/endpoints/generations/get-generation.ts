import { routeHandler } from '../../deployed/gate.ts';
import { workspaceStore } from '../../deployed/stores.ts';
import { jobStore } from '../../deployed/videos.ts';
import { findGeneration } from '../../generations/find-generation.ts';
import { describeGeneration } from '../../generations/shown-generation.ts';
import { json } from '../../http/response.ts';
import { routes } from './definition.ts';

const jobs = jobStore();
const workspaces = workspaceStore();

export const handler = routeHandler(routes['get-generation'], async (call) =>
  json(200, { data: describeGeneration(await findGeneration(call, jobs, workspaces)) }),
);
