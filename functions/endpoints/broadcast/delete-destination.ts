import { findDestination } from '../../broadcast/change-destination.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { destinationStore } from '../../deployed/stores.ts';
import { json } from '../../http/response.ts';
import { routes } from './definition.ts';

const destinations = destinationStore();

export const handler = routeHandler(routes['delete-destination'], async ({ path, principal }) => {
  const { workspace_id: id } = await findDestination(principal, path.destination, destinations);
  await destinations.remove(id);
  return json(200, { deleted: true });
});
