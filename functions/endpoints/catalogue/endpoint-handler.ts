import { systemClock } from '../../clock.ts';
import type { LambdaHandler } from '../../gate/lambda.ts';
import { routeHandler } from '../../gate/route-handler.ts';
import type { AuthenticatedCall } from '../../http/call.ts';
import { NotFound } from '../../http/errors.ts';
import { type ApiResponse, json } from '../../http/response.ts';
import type { KeyedRoute, PathOf } from '../../http/routes.ts';
import { bundledCatalogue } from '../../videos/catalogue/catalogue.ts';
import type { VideoEndpoint } from '../../videos/catalogue/offer.ts';
import type { ChangeNote } from '../../videos/catalogue/offer-store.ts';
import { describeEndpointRow } from '../../videos/catalogue/offer-view.ts';
import { type EndpointChanges, withChanges } from '../../videos/catalogue/stage-catalogue.ts';
import { endpointStore } from '../videos/deployed.ts';

type Edit = (changes: EndpointChanges) => EndpointChanges;
type EditRoute = KeyedRoute & { readonly path: '/endpoints/{provider}/{name}' };

/** The handler of a route that changes the endpoint in its path. Every change is noted with who made it. */
export function endpointHandler(
  route: EditRoute,
  plan: (
    call: AuthenticatedCall<PathOf<EditRoute>>,
    id: string,
  ) => { readonly action: ChangeNote['action']; readonly edit: Edit },
  answer: (id: string, changes: EndpointChanges) => ApiResponse,
): LambdaHandler {
  const store = endpointStore();
  return routeHandler(route, async (call) => {
    const { provider, name } = call.path;
    const id = `${provider}/${name}`;
    const { action, edit } = plan(call, id);
    const note = { action, endpoint: id, by: call.principal.keyHash };
    const changes = await store.change(edit, note, systemClock());
    call.log.info('endpoint changed', { endpoint: id, action });
    return answer(id, changes);
  });
}

/** @throws NotFound */
export function findRow(id: string, changes: EndpointChanges): VideoEndpoint {
  const { endpoints } = withChanges(bundledCatalogue, changes);
  const endpoint = endpoints.find((each) => each.id === id);
  if (endpoint === undefined)
    throw new NotFound(`There is no endpoint ${id}; GET /api/v1/endpoints lists all`);
  return endpoint;
}

/** The endpoint as it is after a change. */
export function shown(id: string, changes: EndpointChanges): ApiResponse {
  const catalogue = withChanges(bundledCatalogue, changes);
  return json(200, { data: describeEndpointRow(findRow(id, changes), catalogue, changes) });
}
