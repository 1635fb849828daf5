import { describeBroadcast } from '../../broadcast/shown-destination.ts';
import { destinationStore } from '../../deployed/stores.ts';
import { json } from '../../http/response.ts';
import { workspaceHandler } from '../workspaces/workspace-handler.ts';
import { routes } from './definition.ts';

const destinations = destinationStore();

export const handler = workspaceHandler(routes['get-workspace-broadcast'], async (_call, workspace) => {
  const { id, is_observability_broadcast_enabled: enabled } = workspace;
  return json(200, { data: describeBroadcast(await destinations.find(id), enabled) });
});
