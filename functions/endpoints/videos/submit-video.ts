import { dynamo } from '../../aws/dynamo.ts';
import { systemClock } from '../../clock.ts';
import { parseAllowedHosts } from '../../egress/allowed-hosts.ts';
import { setting } from '../../environment.ts';
import { deployedReplays } from '../../gate/deployed.ts';
import { answerOnce, type Remember } from '../../gate/idempotency/answer-once.ts';
import { routeHandler } from '../../gate/route-handler.ts';
import type { AuthenticatedCall } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import type { Log } from '../../log.ts';
import { AccountBook } from '../../money/account-book.ts';
import { inWrittenWords, openaiRequestSchema } from '../../videos/dialect/openai-request.ts';
import { isOpenaiSubmit, withJsonBody } from '../../videos/dialect/openai-submit.ts';
import { describeOpenaiVideo } from '../../videos/dialect/openai-video.ts';
import { type InlineImage, takeInputs } from '../../videos/inputs/take-inputs.ts';
import {
  type AcceptPorts,
  acceptJob,
  assertAffordable,
  wasNotAccepted,
} from '../../videos/jobs/accept-job.ts';
import type { Job } from '../../videos/jobs/job.ts';
import { describeJob, pollingUrl } from '../../videos/jobs/job-view.ts';
import { accountStore } from '../credits/deployed.ts';
import { fileStore } from '../files/deployed.ts';
import { type AskedVideo, askedVideos, BODY_LIMIT, type Wording } from './asked-job.ts';
import { jobQueue, jobStore } from './deployed.ts';

const videos = askedVideos();
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

export const handler = routeHandler('submit-video', async (call) => {
  if (!isOpenaiSubmit(call)) return answerSubmit(call, describeJob);
  const written = withJsonBody(call, BODY_LIMIT);
  const limit = written === call ? BODY_LIMIT : LARGEST_ESCAPE * BODY_LIMIT;
  try {
    return await answerSubmit(written, describeOpenaiVideo, { schema: openaiRequestSchema, limit });
  } catch (error) {
    throw inWrittenWords(error, written.body);
  }
});

/** How many bytes one byte of a form may become in JSON: `\u001f`. */
const LARGEST_ESCAPE = 6;

type Show = (job: Job, publicUrl: string) => object;

async function answerSubmit(call: AuthenticatedCall, show: Show, wording?: Wording) {
  const asked = await videos.read(call, wording);
  const operation = (remember: Remember) => submit(asked, call, show, remember);
  return answerOnce(call, replays, operation, asked.workspaceId);
}

async function submit(video: AskedVideo, call: AuthenticatedCall, show: Show, remember: Remember) {
  const asked = await videos.job(video, call);
  // A caller who cannot pay stores nothing.
  await assertAffordable(asked, ports);
  const { workspace_id: workspaceId, id: jobId } = asked;
  const taken = await takeInputs({ workspaceId, jobId, video: asked.request }, inputs);
  const job = { ...asked, request: taken.video };
  const answer = json(202, show(job, call.publicUrl), { location: pollingUrl(job) });
  await withImages(taken.images, call.log, () => acceptJob(job, remember(answer), ports));
  try {
    await queue.send({ v: 1, job_id: job.id, seq: job.seq }, job.workspace_id, 0);
  } catch (error) {
    // The job is accepted, and that cannot be taken back; the sweeper sends what could not be sent now.
    call.log.warn('job not queued yet', { job_id: job.id, error });
  }
  return answer;
}

/**
 * Loads the S3 client only when it is needed: it would slow down every cold start, and few submits contain an image.
 */
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
