import type { OwnAccountPorts } from '../../../functions/videos/worker/provider-contexts.ts';
import { START } from './wire-server.ts';

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'an-example' };
const region = 'us-east-1';

/** The account ports of a stage in some region. */
export const accountPorts: OwnAccountPorts = {
  region,
  credentials,
  endpoint: undefined,
  bucket: 'results',
  now: () => START,
};
