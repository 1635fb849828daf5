import * as v from 'valibot';
import { jsonBody } from '../../http/call.ts';
import { put } from '../../videos/catalogue/endpoint-changes.ts';
import { checkEndpoint } from '../../videos/providers/check-endpoint.ts';
import { videoProviders } from '../videos/deployed.ts';
import { endpointHandler, shown } from './endpoint-handler.ts';

const providers = videoProviders();

/** A row as the file has them; its id is that of the path. */
const bodySchema = v.looseObject({ paused: v.optional(v.boolean('must be true or false'), false) });

export const handler = endpointHandler(
  'put-endpoint',
  (call, id) => {
    const { paused, ...row } = jsonBody(call, bodySchema);
    const endpoint = checkEndpoint({ ...row, id }, providers);
    return { action: 'put', edit: (changes) => put(changes, endpoint, paused) };
  },
  shown,
);
