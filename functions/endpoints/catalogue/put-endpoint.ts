import { jsonBody } from '../../http/call.ts';
import { put } from '../../videos/catalogue/endpoint-changes.ts';
import { newEndpointSchema } from '../../videos/catalogue/endpoint-requests.ts';
import { checkEndpoint } from '../../videos/providers/check-endpoint.ts';
import { videoProviders } from '../videos/deployed.ts';
import { endpointHandler, shown } from './endpoint-handler.ts';

const providers = videoProviders();

export const handler = endpointHandler(
  'put-endpoint',
  (call, id) => {
    const { paused, ...row } = jsonBody(call, newEndpointSchema);
    const endpoint = checkEndpoint({ ...row, id }, providers);
    return { action: 'put', edit: (changes) => put(changes, endpoint, paused) };
  },
  shown,
);
