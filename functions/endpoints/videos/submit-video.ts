import { dynamo } from '../../aws/dynamo.ts';
import { systemClock } from '../../clock.ts';
import { parseAllowedHosts } from '../../egress/allowed-hosts.ts';
import { setting } from '../../environment.ts';
import { deployedReplays } from '../../gate/deployed.ts';
import { answerOnce } from '../../gate/idempotency/answer-once.ts';
import { routeHandler } from '../../gate/route-handler.ts';
import { type AuthenticatedCall, jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { newId } from '../../ids.ts';
import type { Log } from '../../log.ts';
import { AccountBook } from '../../money/account-book.ts';
import { videoRequestSchema } from '../../videos/catalogue/video-request.ts';
import { type InlineImage, takeInputs } from '../../videos/inputs/take-inputs.ts';
import {
  type AcceptPorts,
  acceptJob,
  assertAffordable,
  wasNotAccepted,
} from '../../videos/jobs/accept-job.ts';
import type { Job } from '../../videos/jobs/job.ts';
import { describeJob } from '../../videos/jobs/job-view.ts';
import { newJob } from '../../videos/jobs/new-job.ts';
import { chooseForCaller } from '../../videos/routing/choose-for-caller.ts';
import { checkedCallbackUrl } from '../../webhooks/settings/callback-url.ts';
import { accountStore } from '../credits/deployed.ts';
import { fileStore } from '../files/deployed.ts';
import { chooserPorts } from './chooser-ports.ts';
import { jobQueue, jobStore } from './deployed.ts';

/** Room for inline images. */
const BODY_LIMIT = 4 * 1024 * 1024;

const chooser = chooserPorts();
const allowedHosts = parseAllowedHosts(setting('privateHosts'));
const bucket = setting('resultsBucket');
const inputs = {
  files: fileStore(),
  imageType: async (bytes: Uint8Array) => {
    const { imageType } = await import('../../videos/inputs/inline-images.ts');
    return imageType(bytes);
  },
  allowedHosts,
};
const queue = jobQueue();
const replays = deployedReplays();
const accounts = accountStore();
const ports: AcceptPorts = {
  client: dynamo,
  jobs: jobStore(),
  accounts,
  book: new AccountBook(accounts, systemClock),
  now: systemClock,
};

export const handler = routeHandler('submit-video', (call) =>
  answerOnce(call, replays, async (remember) => {
    const asked = await readJob(call);
    // Whoever cannot pay stores nothing.
    await assertAffordable(asked, ports);
    const { workspace_id: workspaceId, id: jobId, request: video } = asked;
    const taken = await takeInputs({ workspaceId, jobId, video }, inputs);
    const job = { ...asked, request: taken.video };
    const answer = json(202, describeJob(job, call.publicUrl));
    await withImages(taken.images, call.log, () => acceptJob(job, remember(answer), ports));
    try {
      await queue.send({ v: 1, job_id: job.id, seq: job.seq }, job.workspace_id, 0);
    } catch (error) {
      // The job is accepted and cannot be taken back; the sweeper sends what could not be sent now.
      call.log.warn('job not queued yet', { job_id: job.id, error });
    }
    return answer;
  }),
);

/** Loads the S3 client when it is needed: it slows every cold start, and few submits carry an image. */
async function withImages(
  images: readonly InlineImage[],
  log: Log,
  work: () => Promise<unknown>,
): Promise<void> {
  if (images.length === 0) {
    await work();
    return;
  }
  const [{ s3 }, { InputObjects }, { keepingImages }] = await Promise.all([
    import('../../aws/s3.ts'),
    import('../../videos/inputs/input-objects.ts'),
    import('../../videos/inputs/inline-images.ts'),
  ]);
  const objects = new InputObjects(s3);
  const onRemains = (error: unknown) => log.warn('images of a refused submit remain', { error });
  await keepingImages(images, { bucket, objects, wasRefused: wasNotAccepted, onRemains }, work);
}

/** The job with its inputs as they came. @throws InvalidRequest, NotFound */
async function readJob(call: AuthenticatedCall): Promise<Job> {
  const request = jsonBody(call, videoRequestSchema, BODY_LIMIT);
  const callbackUrl =
    request.callback_url === undefined
      ? undefined
      : checkedCallbackUrl(request.callback_url, 'callback_url', allowedHosts);
  const { principal, publicUrl } = call;
  const choice = await chooseForCaller(request, principal, chooser);
  const now = systemClock();
  const {
    model,
    provider: { options },
  } = request;
  return newJob({ id: newId.video(now), principal, model, choice, options, callbackUrl, publicUrl }, now);
}
