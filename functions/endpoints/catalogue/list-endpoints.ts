import { routeHandler } from '../../deployed/gate.ts';
import { offerStore } from '../../deployed/videos.ts';
import { json } from '../../http/response.ts';
import { bundledCatalogue } from '../../videos/catalogue/catalogue.ts';
import { describeOffer } from '../../videos/catalogue/offer-view.ts';
import { withChanges } from '../../videos/catalogue/stage-catalogue.ts';
import { routes } from './definition.ts';

const store = offerStore();

export const handler = routeHandler(routes['list-endpoints'], async () => {
  const changes = await store.read();
  const catalogue = withChanges(bundledCatalogue, changes);
  const data = catalogue.offers.map((each) => describeOffer(each, catalogue, changes));
  return json(200, { data });
});
