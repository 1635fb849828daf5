import { jsonBody } from '../../http/call.ts';
import { offerChangeSchema } from '../../videos/catalogue/offer-view.ts';
import { routes } from './definition.ts';
import { planUpdate } from './offer-changes.ts';
import { offerHandler, shown } from './offer-handler.ts';

export const handler = offerHandler(
  routes['update-endpoint'],
  (call) => jsonBody(call, offerChangeSchema),
  planUpdate,
  shown,
);
