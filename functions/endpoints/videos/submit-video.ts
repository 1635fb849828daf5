import { answerOnce } from '../../gate/answer-once.ts';
import { deployedReplays } from '../../gate/deployed.ts';
import { routeHandler } from '../../gate/route-handler.ts';
import type { AuthenticatedCall } from '../../http/call.ts';
import { inWrittenWords, openaiRequestSchema } from '../../videos/dialect/openai-request.ts';
import { isOpenaiSubmit, withJsonBody } from '../../videos/dialect/openai-submit.ts';
import { describeOpenaiVideo } from '../../videos/dialect/openai-video.ts';
import { describeJob } from '../../videos/jobs/job-view.ts';
import { askedVideos, BODY_LIMIT, type Wording } from './asked-job.ts';
import { routes } from './definition.ts';
import { type Show, submitter } from './submitter.ts';

const videos = askedVideos();
const replays = deployedReplays();
const submit = submitter();

/**
 * Reads what is asked, in our own words or in OpenAI's (`asked-job.ts`). If its `Idempotency-Key` was answered before,
 * it gets the same answer; otherwise the job is accepted and queued (`submitter.ts`).
 */
export const handler = routeHandler(routes['submit-video'], async (call) => {
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

async function answerSubmit(call: AuthenticatedCall, show: Show, wording?: Wording) {
  const asked = await videos.read(call, wording);
  return answerOnce(
    call,
    replays,
    async (remember) => submit(await videos.job(asked, call), call, show, remember),
    asked.workspaceId,
  );
}
