import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { accountStore } from '../../deployed/stores.ts';
import { json } from '../../http/response.ts';
import { AccountBook } from '../../money/account-book.ts';
import { takeInputs } from '../../videos/inputs/take-inputs.ts';
import { estimateJob } from '../../videos/jobs/job-estimate.ts';
import { askedVideos, inputPorts } from './asked-job.ts';
import { routes } from './definition.ts';

const asked = askedVideos();
const inputs = inputPorts();
const accounts = accountStore();
const ports = { accounts, book: new AccountBook(accounts, systemClock), now: systemClock };

/** Every check of a submit, and what it would hold; nothing is stored. */
export const handler = routeHandler(routes['estimate-video'], async (call) => {
  const job = await asked.job(await asked.read(call), call);
  await takeInputs({ workspaceId: job.workspace_id, jobId: job.id, video: job.request }, inputs);
  const endpoint = { model: job.model, provider: job.provider };
  return json(200, { ...(await estimateJob(job, ports)), endpoint });
});
