import { jsonBody } from '../../http/call.ts';
import { newEndpointSchema } from '../../videos/catalogue/offer-view.ts';
import { put } from '../../videos/catalogue/stage-catalogue.ts';
import { checkEndpoint } from '../../videos/providers/check-offer.ts';
import { videoProviders } from '../videos/deployed.ts';
import { routes } from './definition.ts';
import { endpointHandler, shown } from './endpoint-handler.ts';

const providers = videoProviders();

export const handler = endpointHandler(
  routes['put-endpoint'],
  (call, id) => {
    const { paused, ...row } = jsonBody(call, newEndpointSchema);
    const endpoint = checkEndpoint({ ...row, id }, providers);
    return { action: 'put', edit: (changes) => put(changes, endpoint, paused) };
  },
  shown,
);
