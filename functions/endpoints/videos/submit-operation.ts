import { dynamo } from '../../aws/dynamo.ts';
import { systemClock } from '../../clock.ts';
import { deployedReplays } from '../../deployed/gate.ts';
import { accountStore } from '../../deployed/stores.ts';
import { jobStore, submitQueue } from '../../deployed/videos.ts';
import { setting } from '../../environment.ts';
import { answerOnce, type Remember } from '../../gate/answer-once.ts';
import type { AuthenticatedCall } from '../../http/call.ts';
import { type ApiResponse, json } from '../../http/response.ts';
import { AccountBook } from '../../money/account-book.ts';
import type { Log } from '../../telemetry/log.ts';
import { type InlineImage, takeInputs } from '../../videos/inputs/take-inputs.ts';
import {
  type AcceptPorts,
  acceptJob,
  assertAffordable,
  wasNotAccepted,
} from '../../videos/jobs/accept-job.ts';
import type { JobWithRequest } from '../../videos/jobs/job.ts';
import type { JobQueue } from '../../videos/jobs/job-queue.ts';
import { jobIdAt, pollingUrl } from '../../videos/jobs/job-view.ts';
import { askedVideos, inputPorts, type Wording } from './asked-job.ts';

export type Show = (job: JobWithRequest, publicUrl: string) => object;
export type SubmitOperation = (
  call: AuthenticatedCall,
  show: Show,
  wording?: Wording,
) => Promise<ApiResponse<string>>;

/**
 * A submit over the deployment's stores. If its `Idempotency-Key` was answered before, it gets the same answer; otherwise
 * the job is accepted and queued.
 */
export function submitOperation(): SubmitOperation {
  const videos = askedVideos();
  const replays = deployedReplays();
  const queue = submitQueue();
  const submit = submitter();
  return async (call, show, wording) => {
    const asked = await videos.read(call, wording);
    const answer = await answerOnce(
      call,
      replays,
      async (remember) => submit(await videos.job(asked, call), call, show, remember),
      asked.workspaceId,
    );
    await queueJob(answer, asked.workspaceId, queue, call.log);
    return answer;
  };
}

/**
 * Sends the first message of an accepted job, with a repeated answer too: whoever accepted the job may have died before
 * this, or may not know that it did. If the job goes on already, the message is dropped.
 */
async function queueJob(
  { headers }: ApiResponse,
  workspaceId: string,
  queue: JobQueue,
  log: Log,
): Promise<void> {
  if (headers.location === undefined) return;
  const id = jobIdAt(headers.location);
  try {
    await queue.send({ v: 1, job_id: id, seq: 0 }, workspaceId, 0);
  } catch (error) {
    // The job is accepted, and that cannot be taken back; the sweeper sends what could not be sent now.
    log.warn('job not queued yet', { job_id: id, error });
  }
}

/** Accepts jobs, over the deployment's stores. */
function submitter() {
  const bucket = setting('resultsBucket');
  const inputs = inputPorts();
  const accounts = accountStore();
  const book = new AccountBook(accounts, systemClock);
  const ports: AcceptPorts = { client: dynamo, jobs: jobStore(), accounts, book, now: systemClock };

  return async (asked: JobWithRequest, call: AuthenticatedCall, show: Show, remember: Remember) => {
    // A caller who cannot pay stores nothing.
    await assertAffordable(asked, ports);
    const { workspace_id: workspaceId, id: jobId } = asked;
    const taken = await takeInputs({ workspaceId, jobId, video: asked.request }, inputs);
    const job = { ...asked, request: taken.video };
    const answer: ApiResponse<string> = json(202, show(job, call.publicUrl), { location: pollingUrl(job) });
    await withImages(taken.images, bucket, call.log, () => acceptJob(job, remember(answer), ports));
    return answer;
  };
}

/**
 * Loads the S3 client only when it is needed: it would slow down every cold start, and few submits contain an image.
 */
async function withImages(
  images: readonly InlineImage[],
  bucket: string,
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
  const onRemains = (error: unknown) => log.warn('images of a refused submission remain', { error });
  await keepingImages(images, { bucket, objects, wasRefused: wasNotAccepted, onRemains }, work);
}
