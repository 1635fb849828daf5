import { videoProviders } from '../../deployed/videos.ts';
import { jsonBody } from '../../http/call.ts';
import { newOfferSchema } from '../../videos/catalogue/offer-view.ts';
import { put } from '../../videos/catalogue/stage-catalogue.ts';
import { checkOffer } from '../../videos/providers/check-offer.ts';
import { routes } from './definition.ts';
import { offerHandler, shown } from './offer-handler.ts';

const providers = videoProviders();

export const handler = offerHandler(
  routes['put-endpoint'],
  (call, id) => {
    const { paused, ...row } = jsonBody(call, newOfferSchema);
    const offer = checkOffer({ ...row, id }, providers);
    return { action: 'put', edit: (changes) => put(changes, offer, paused) };
  },
  shown,
);
