import { workerPorts } from '../../deployed/videos.ts';
import { json } from '../../http/response.ts';
import { describeJob } from '../../videos/jobs/job-view.ts';
import { cancelJob } from '../../videos/worker/cancel-job.ts';
import { routes } from './definition.ts';
import { jobHandler } from './job-handler.ts';

/** The caller waits for it. */
const PROVIDER_MILLISECONDS = 5_000;

const ports = workerPorts({ milliseconds: PROVIDER_MILLISECONDS });

export const handler = jobHandler(routes['cancel-video'], async (call, found) => {
  const job = await cancelJob(found, ports);
  return json(job.status === 'cancelled' ? 200 : 202, describeJob(job, call.publicUrl));
});
