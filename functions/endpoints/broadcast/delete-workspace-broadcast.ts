import { destinationStore } from '../../deployed/stores.ts';
import { json } from '../../http/response.ts';
import { workspaceHandler } from '../workspaces/workspace-handler.ts';
import { routes } from './definition.ts';

const destinations = destinationStore();

export const handler = workspaceHandler(routes['delete-workspace-broadcast'], async (_call, workspace) => {
  await destinations.remove(workspace.id);
  return json(200, { deleted: true });
});
