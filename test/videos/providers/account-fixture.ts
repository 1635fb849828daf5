import type { OwnAccountPorts } from '../../../functions/videos/worker/own-account.ts';
import { START } from './wire-server.ts';

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'an-example' };
const region = 'us-east-1';

/** A stage in a region, as the poller knows it. */
export const accountPorts: OwnAccountPorts = {
  region,
  credentials,
  endpoint: undefined,
  bucket: 'results',
  now: () => START,
};
