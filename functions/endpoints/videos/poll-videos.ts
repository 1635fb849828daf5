import { advanceJob } from '../../videos/worker/advance-job.ts';
import { consumerPorts, jobsHandler, PROVIDER_MILLISECONDS } from './consumer-ports.ts';
import { queueOf } from './deployed.ts';
import { providerInputs } from './provider-inputs.ts';

export const handler = jobsHandler(advanceJob, {
  ...consumerPorts({ hasBatches: true, milliseconds: PROVIDER_MILLISECONDS, inputsOf: providerInputs() }),
  queueOf: queueOf(),
});
