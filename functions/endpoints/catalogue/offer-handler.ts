import { systemClock } from '../../clock.ts';
import { type LambdaHandler, routeHandler } from '../../deployed/gate.ts';
import { offerStore } from '../../deployed/videos.ts';
import type { AuthenticatedCall } from '../../http/call.ts';
import { NotFound } from '../../http/errors.ts';
import { type ApiResponse, json } from '../../http/response.ts';
import type { KeyedRoute, PathOf } from '../../http/routes.ts';
import { bundledCatalogue } from '../../videos/catalogue/catalogue.ts';
import type { Offer } from '../../videos/catalogue/offer.ts';
import type { ChangeNote } from '../../videos/catalogue/offer-store.ts';
import { describeOffer } from '../../videos/catalogue/offer-view.ts';
import { type OfferChanges, withChanges } from '../../videos/catalogue/stage-catalogue.ts';

type Edit = (changes: OfferChanges) => OfferChanges;
type EditRoute = KeyedRoute & { readonly path: '/endpoints/{provider}/{name}' };

/** The handler of a route that changes the offer in its path. Every change is noted with who made it. */
export function offerHandler(
  route: EditRoute,
  plan: (
    call: AuthenticatedCall<PathOf<EditRoute>>,
    id: string,
  ) => { readonly action: ChangeNote['action']; readonly edit: Edit },
  answer: (id: string, changes: OfferChanges) => ApiResponse,
): LambdaHandler {
  const store = offerStore();
  return routeHandler(route, async (call) => {
    const { provider, name } = call.path;
    const id = `${provider}/${name}`;
    const { action, edit } = plan(call, id);
    const note = { action, offer: id, by: call.principal.keyHash };
    const changes = await store.change(edit, note, systemClock());
    call.log.info('endpoint changed', { endpoint: id, action });
    return answer(id, changes);
  });
}

/** @throws NotFound */
export function findRow(id: string, changes: OfferChanges): Offer {
  const { offers } = withChanges(bundledCatalogue, changes);
  const offer = offers.find((each) => each.id === id);
  if (offer === undefined) throw new NotFound(`There is no endpoint ${id}; GET /api/v1/endpoints lists all`);
  return offer;
}

/** The offer as it is after a change. */
export function shown(id: string, changes: OfferChanges): ApiResponse {
  const catalogue = withChanges(bundledCatalogue, changes);
  return json(200, { data: describeOffer(findRow(id, changes), catalogue, changes) });
}
