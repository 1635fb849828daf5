import * as v from 'valibot';
import { dynamo } from '../aws/dynamo.ts';
import { SqsFairQueue } from '../aws/fair-queue.ts';
import { sqs } from '../aws/sqs.ts';
import { systemClock } from '../clock.ts';
import { parseAllowedHosts } from '../egress/allowed-hosts.ts';
import { readEnvironment } from '../environment.ts';
import { jsonBody } from '../http/call.ts';
import { routeHandler } from '../http/lambda.ts';
import { json } from '../http/response.ts';
import { newId } from '../ids.ts';
import { checkedCallbackUrl } from '../webhooks/callback-url.ts';
import { fitToModel } from './fit-to-model.ts';
import type { JobMessage } from './job-queue.ts';
import { JobStore } from './job-store.ts';
import { describeJob } from './job-view.ts';
import { newJob } from './new-job.ts';
import { offeredModel } from './offered-models.ts';
import { providersVariable } from './providers/provider-settings.ts';
import { videoRequestSchema } from './video-request.ts';

/** Room for inline images. */
const BODY_LIMIT = 4 * 1024 * 1024;

const { JOBS_TABLE, JOBS_QUEUE_URL, PRIVATE_HOSTS, VIDEO_PROVIDERS } = readEnvironment({
  JOBS_TABLE: v.string(),
  JOBS_QUEUE_URL: v.string(),
  PRIVATE_HOSTS: v.string(),
  VIDEO_PROVIDERS: providersVariable,
});
const allowedHosts = parseAllowedHosts(PRIVATE_HOSTS);
const jobs = new JobStore(dynamo, JOBS_TABLE);
const queue = new SqsFairQueue<JobMessage>(sqs, JOBS_QUEUE_URL);

export const handler = routeHandler('submit-video', async (call) => {
  const request = jsonBody(call, videoRequestSchema, BODY_LIMIT);
  const now = systemClock();
  const model = offeredModel(request.model, VIDEO_PROVIDERS, now);
  const job = newJob(
    {
      id: newId.video(now),
      principal: call.principal,
      model,
      request: fitToModel(request, model),
      callbackUrl:
        request.callback_url === undefined
          ? undefined
          : checkedCallbackUrl(request.callback_url, 'callback_url', allowedHosts),
      publicUrl: call.publicUrl,
    },
    now,
  );
  await jobs.create(job);
  try {
    await queue.send({ v: 1, job_id: job.id, seq: job.seq }, job.workspace_id, 0);
  } catch (error) {
    // The job is accepted and cannot be taken back; the sweeper sends what could not be sent now.
    call.log.warn('job not queued yet', { job_id: job.id, error });
  }
  return json(202, describeJob(job, call.publicUrl));
});
