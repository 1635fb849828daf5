import { routeHandler } from '../../deployed/gate.ts';
import { visibleJobs, workerPorts } from '../../deployed/videos.ts';
import { json } from '../../http/response.ts';
import { describeJob } from '../../videos/jobs/job-view.ts';
import { cancelJob } from '../../videos/worker/cancel-job.ts';
import { routes } from './definition.ts';

/** The caller waits for it. */
const PROVIDER_MILLISECONDS = 5_000;

const ports = workerPorts({ milliseconds: PROVIDER_MILLISECONDS });
const findJob = visibleJobs();

export const handler = routeHandler(routes['cancel-video'], async (call) => {
  const found = await findJob(call);
  const job = await cancelJob(found, ports);
  return json(job.status === 'cancelled' ? 200 : 202, describeJob(job, call.publicUrl));
});
