import { findDestination } from '../../broadcast/change-destination.ts';
import { describeDestination } from '../../broadcast/shown-destination.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { destinationStore } from '../../deployed/stores.ts';
import { json } from '../../http/response.ts';
import { routes } from './definition.ts';

const destinations = destinationStore();

export const handler = routeHandler(routes['get-destination'], async ({ path, principal }) =>
  json(200, { data: describeDestination(await findDestination(principal, path.destination, destinations)) }),
);
