import * as v from 'valibot';
import { noteChange } from '../../audit/changed-fields.ts';
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
import { describeOffer, shownOfferSchema } from '../../videos/catalogue/offer-view.ts';
import { type OfferChanges, withChanges } from '../../videos/catalogue/stage-catalogue.ts';

/** What of a row the audit trail keeps: all that is not written for people. */
const AUDITED = v.keyof(v.omit(shownOfferSchema, ['id', 'name', 'description', 'changed'])).options;

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
    let before: ReturnType<typeof audited>;
    const noting: Edit = (changes) => {
      before = audited(id, changes);
      return edit(changes);
    };
    const changes = await store.change(noting, note, systemClock());
    noteChange(call, AUDITED, before, audited(id, changes));
    call.log.info('endpoint changed', { endpoint: id, action });
    return answer(id, changes);
  });
}

const offerOf = (id: string, changes: OfferChanges) =>
  withChanges(bundledCatalogue, changes).offers.find((each) => each.id === id);

/** The offer as the audit trail keeps it; undefined where there is none. */
function audited(id: string, changes: OfferChanges) {
  const offer = offerOf(id, changes);
  return offer && { ...offer, paused: changes.paused.includes(id) };
}

/** @throws NotFound */
export function findRow(id: string, changes: OfferChanges): Offer {
  const offer = offerOf(id, changes);
  if (offer === undefined) throw new NotFound(`There is no endpoint ${id}; GET /api/v1/endpoints lists all`);
  return offer;
}

/** The offer as it is after a change. */
export function shown(id: string, changes: OfferChanges): ApiResponse {
  const catalogue = withChanges(bundledCatalogue, changes);
  return json(200, { data: describeOffer(findRow(id, changes), catalogue, changes) });
}
