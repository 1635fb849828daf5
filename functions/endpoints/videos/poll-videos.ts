import { advanceJob } from '../../videos/worker/advance-job.ts';
import { SlowPolls } from '../../videos/worker/slow-polls.ts';
import { consumerPorts, jobsHandler, PROVIDER_MILLISECONDS } from './consumer-ports.ts';
import { queueOf } from './deployed.ts';
import { providerInputs } from './provider-inputs.ts';

export const handler = jobsHandler(advanceJob, {
  ...consumerPorts(
    { milliseconds: PROVIDER_MILLISECONDS, inputsOf: providerInputs() },
    { slowPolls: new SlowPolls() },
  ),
  queueOf: queueOf(),
});
