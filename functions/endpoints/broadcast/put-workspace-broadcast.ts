import { setAddress } from '../../broadcast/change-destination.ts';
import { destinationSchema } from '../../broadcast/destination.ts';
import { describeBroadcast } from '../../broadcast/shown-destination.ts';
import { destinationPorts } from '../../deployed/secrets.ts';
import { jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { workspaceHandler } from '../workspaces/workspace-handler.ts';
import { routes } from './definition.ts';

const ports = destinationPorts();

export const handler = workspaceHandler(routes['put-workspace-broadcast'], async (call, workspace) => {
  const destination = await setAddress(workspace.id, jsonBody(call, destinationSchema), ports);
  const { is_observability_broadcast_enabled: enabled } = workspace;
  return json(200, { data: describeBroadcast(destination, enabled) });
});
