import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { SqsFairQueue } from '../../aws/fair-queue.ts';
import { sqs } from '../../aws/sqs.ts';
import { systemClock } from '../../clock.ts';
import { parseAllowedHosts } from '../../egress/allowed-hosts.ts';
import { readEnvironment } from '../../environment.ts';
import { FileStore } from '../../files/file-store.ts';
import { answerOnce } from '../../gate/idempotency/answer-once.ts';
import { ReplayStore } from '../../gate/idempotency/replay-store.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { type AuthenticatedCall, jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { newId } from '../../ids.ts';
import { AccountBook } from '../../money/account-book.ts';
import { AccountStore } from '../../money/account-store.ts';
import { fitToModel } from '../../videos/catalogue/fit-to-model.ts';
import { offeredModel } from '../../videos/catalogue/offered-models.ts';
import { videoRequestSchema } from '../../videos/catalogue/video-request.ts';
import { type TakeInputsPorts, takeInputs } from '../../videos/inputs/take-inputs.ts';
import { type AcceptPorts, acceptJob } from '../../videos/jobs/accept-job.ts';
import type { Job } from '../../videos/jobs/job.ts';
import type { JobMessage } from '../../videos/jobs/job-queue.ts';
import { describeJob } from '../../videos/jobs/job-view.ts';
import { newJob } from '../../videos/jobs/new-job.ts';
import { providersVariable, settingsOf } from '../../videos/providers/provider-settings.ts';
import { checkedCallbackUrl } from '../../webhooks/settings/callback-url.ts';

/** Room for inline images. */
const BODY_LIMIT = 4 * 1024 * 1024;

const { VIDEO_PROVIDERS, ...settings } = readEnvironment({
  JOBS_TABLE: v.string(),
  ACCOUNTS_TABLE: v.string(),
  REPLAYS_TABLE: v.string(),
  JOBS_QUEUE_URL: v.string(),
  FILES_TABLE: v.string(),
  RESULTS_BUCKET: v.string(),
  PRIVATE_HOSTS: v.string(),
  VIDEO_PROVIDERS: providersVariable,
});
const allowedHosts = parseAllowedHosts(settings.PRIVATE_HOSTS);
const inputs: TakeInputsPorts = {
  files: new FileStore(dynamo, settings.FILES_TABLE),
  // Loaded when it is needed: the S3 client slows every cold start, and few submits carry an image.
  keepImage: async (key, bytes) => {
    const { keepImage } = await import('../../videos/inputs/inline-images.ts');
    return keepImage({ bucket: settings.RESULTS_BUCKET, key }, bytes);
  },
  allowedHosts,
};
const queue = new SqsFairQueue<JobMessage>(sqs, settings.JOBS_QUEUE_URL);
const replays = { replays: new ReplayStore(dynamo, settings.REPLAYS_TABLE), now: systemClock };
const ports: AcceptPorts = {
  client: dynamo,
  tables: { jobs: settings.JOBS_TABLE, accounts: settings.ACCOUNTS_TABLE },
  accounts: new AccountBook(new AccountStore(dynamo, settings.ACCOUNTS_TABLE), systemClock),
  now: systemClock,
};

export const handler = routeHandler('submit-video', (call) =>
  answerOnce(call, replays, async (remember) => {
    const job = await readJob(call);
    const answer = json(202, describeJob(job, call.publicUrl));
    await acceptJob(job, remember(answer), ports);
    try {
      await queue.send({ v: 1, job_id: job.id, seq: job.seq }, job.workspace_id, 0);
    } catch (error) {
      // The job is accepted and cannot be taken back; the sweeper sends what could not be sent now.
      call.log.warn('job not queued yet', { job_id: job.id, error });
    }
    return answer;
  }),
);

/** @throws InvalidRequest, NotFound */
async function readJob(call: AuthenticatedCall): Promise<Job> {
  const request = jsonBody(call, videoRequestSchema, BODY_LIMIT);
  const now = systemClock();
  const model = offeredModel(request.model, VIDEO_PROVIDERS, now);
  const callbackUrl =
    request.callback_url === undefined
      ? undefined
      : checkedCallbackUrl(request.callback_url, 'callback_url', allowedHosts);
  const id = newId.video(now);
  const { principal, publicUrl } = call;
  const asked = { workspaceId: principal.workspaceId, jobId: id, video: fitToModel(request, model) };
  const video = await takeInputs(asked, inputs);
  const isByok = settingsOf(model.provider, VIDEO_PROVIDERS)?.credential === 'workspace';
  return newJob({ id, principal, model, request: video, isByok, callbackUrl, publicUrl }, now);
}
