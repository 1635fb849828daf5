import { routeHandler } from '../../deployed/gate.ts';
import { inWrittenWords, openaiRequestSchema } from '../../videos/dialect/openai-request.ts';
import { isOpenaiSubmit, withJsonBody } from '../../videos/dialect/openai-submit.ts';
import { describeNewOpenaiVideo } from '../../videos/dialect/openai-video.ts';
import { describeJob } from '../../videos/jobs/job-view.ts';
import { BODY_LIMIT } from './asked-job.ts';
import { routes } from './definition.ts';
import { submitOperation } from './submit-operation.ts';

const submit = submitOperation();

/** Reads what is asked, in our own words or in OpenAI's (`asked-job.ts`). */
export const handler = routeHandler(routes['submit-video'], async (call) => {
  if (!isOpenaiSubmit(call)) return submit(call, describeJob);
  const written = withJsonBody(call, BODY_LIMIT);
  const limit = written === call ? BODY_LIMIT : LARGEST_ESCAPE * BODY_LIMIT;
  try {
    return await submit(written, describeNewOpenaiVideo, { schema: openaiRequestSchema, limit });
  } catch (error) {
    throw inWrittenWords(error, written.body);
  }
});

/** How many bytes one byte of a form may become in JSON: `\u001f`. */
const LARGEST_ESCAPE = 6;
