import { noteChange } from '../../audit/changed-fields.ts';
import { createDestination } from '../../broadcast/change-destination.ts';
import { newDestinationSchema } from '../../broadcast/destination.ts';
import { AUDITED_OF_DESTINATIONS, describeDestination } from '../../broadcast/shown-destination.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { destinationPorts } from '../../deployed/secrets.ts';
import { workspaceStore } from '../../deployed/stores.ts';
import { jsonBody } from '../../http/call.ts';
import { invalidField } from '../../http/errors.ts';
import { json } from '../../http/response.ts';
import { namedWorkspace } from '../../workspaces/find-workspace.ts';
import { routes } from './definition.ts';

const ports = destinationPorts();
const workspaces = workspaceStore();

export const handler = routeHandler(routes['create-destination'], async (call) => {
  const asked = jsonBody(call, newDestinationSchema);
  const workspaceId = await namedWorkspace(call.principal, asked.workspace_id, workspaces);
  if ((await workspaces.findById(workspaceId)) === undefined) {
    throw invalidField('workspace_id', 'no such workspace');
  }
  const created = await createDestination(asked, workspaceId, ports);
  noteChange(call, AUDITED_OF_DESTINATIONS, undefined, created);
  const location = `/api/v1/observability/destinations/${workspaceId}`;
  return json(201, { data: describeDestination(created) }, { location });
});
