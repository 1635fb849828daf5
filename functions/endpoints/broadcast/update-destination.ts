import { noteChange } from '../../audit/changed-fields.ts';
import { changeDestination } from '../../broadcast/change-destination.ts';
import { destinationChangeSchema } from '../../broadcast/destination.ts';
import { AUDITED_OF_DESTINATIONS, describeDestination } from '../../broadcast/shown-destination.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { destinationPorts } from '../../deployed/secrets.ts';
import { jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { routes } from './definition.ts';

const ports = destinationPorts();

export const handler = routeHandler(routes['update-destination'], async (call) => {
  const { path, principal } = call;
  const change = jsonBody(call, destinationChangeSchema);
  const { before, after } = await changeDestination(principal, path.destination, change, ports);
  noteChange(call, AUDITED_OF_DESTINATIONS, before, after);
  return json(200, { data: describeDestination(after) });
});
