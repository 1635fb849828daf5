import { consumerPorts, jobsHandler, PROVIDER_MILLISECONDS } from '../../deployed/consumers.ts';
import { queueOf } from '../../deployed/videos.ts';
import { pollJob } from '../../videos/worker/advance-job.ts';
import { SlowPolls } from '../../videos/worker/slow-polls.ts';

export const handler = jobsHandler(pollJob, {
  ...consumerPorts({ milliseconds: PROVIDER_MILLISECONDS }, { slowPolls: new SlowPolls() }),
  queueOf: queueOf(),
});
