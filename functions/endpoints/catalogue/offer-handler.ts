import type { ENDPOINT_ACTIONS } from '../../approvals/shown-approval.ts';
import { approvalAsker } from '../../deployed/approvals.ts';
import { type LambdaHandler, routeHandler } from '../../deployed/gate.ts';
import { offerStore } from '../../deployed/videos.ts';
import type { AuthenticatedCall } from '../../http/call.ts';
import { type ApiResponse, json } from '../../http/response.ts';
import type { KeyedRoute } from '../../http/routes.ts';
import { bundledCatalogue } from '../../videos/catalogue/catalogue.ts';
import { describeOffer } from '../../videos/catalogue/offer-view.ts';
import { type OfferChanges, withChanges } from '../../videos/catalogue/stage-catalogue.ts';
import { changeOffer, findRow, type OfferPlan, seenOffer } from './offer-changes.ts';

type EditRoute = KeyedRoute & {
  readonly id: (typeof ENDPOINT_ACTIONS)[number];
  readonly path: '/endpoints/{provider}/{name}';
};

/** The handler of a route that changes the offer in its path, or has the change wait for a second key. */
export function offerHandler(
  route: EditRoute,
  read: (call: AuthenticatedCall) => Record<string, unknown>,
  plan: OfferPlan,
  answer: (id: string, changes: OfferChanges) => ApiResponse,
): LambdaHandler {
  const store = offerStore();
  const ask = approvalAsker();
  return routeHandler(route, async (call) => {
    const { provider, name } = call.path;
    const endpoint = `${provider}/${name}`;
    const request = read(call);
    const planned = plan(request, endpoint);
    // Whoever finds an endpoint harmful stops it alone.
    if (ask === undefined || planned.action === 'pause') {
      return answer(
        endpoint,
        await changeOffer(call, endpoint, planned, { store, by: call.principal.keyHash }),
      );
    }
    const before = await store.tried(planned.edit);
    return ask(call, { action: route.id, endpoint, request, seen: seenOffer(endpoint, before) });
  });
}

/** The offer as it is after a change. */
export function shown(id: string, changes: OfferChanges): ApiResponse {
  const catalogue = withChanges(bundledCatalogue, changes);
  return json(200, { data: describeOffer(findRow(id, changes), catalogue, changes) });
}
