import { videoProviders } from '../../deployed/videos.ts';
import { jsonBody } from '../../http/call.ts';
import { newOfferSchema } from '../../videos/catalogue/offer-view.ts';
import { routes } from './definition.ts';
import { planPut } from './offer-changes.ts';
import { offerHandler, shown } from './offer-handler.ts';

export const handler = offerHandler(
  routes['put-endpoint'],
  (call) => jsonBody(call, newOfferSchema),
  planPut(videoProviders()),
  shown,
);
