import { visibleJobs } from '../../deployed/videos.ts';
import { type AuthenticatedCall, assertNotEncoded, onUnknownField } from '../../http/call.ts';
import { parseJsonBody } from '../../http/json-body.ts';
import type { ApiResponse } from '../../http/response.ts';
import { validate } from '../../http/validation.ts';
import type { Continuation } from '../../videos/catalogue/continuation.ts';
import { namedVideoSchema, submitOf } from '../../videos/dialect/openai-continuation.ts';
import { inWrittenWords, openaiRequestSchema } from '../../videos/dialect/openai-request.ts';
import { withJsonBody } from '../../videos/dialect/openai-submit.ts';
import { describeNewOpenaiVideo } from '../../videos/dialect/openai-video.ts';
import { BODY_LIMIT } from './asked-job.ts';
import { submitOperation } from './submit-operation.ts';

/** The name of a completed video, where the path has it. */
type Named = AuthenticatedCall<{ video?: string }>;

/** Edits and extends completed videos, as OpenAI's clients ask for it: each is a submit in other words. */
export function continueOperation(continuation: Continuation): (call: Named) => Promise<ApiResponse<string>> {
  const findJob = visibleJobs();
  const submit = submitOperation();
  return async (call) => {
    const written = withJsonBody(call, BODY_LIMIT);
    assertNotEncoded(call.headers);
    const members = parseJsonBody(written.body, written.headers['content-type'], BODY_LIMIT);
    const video = call.path.video ?? validate(namedVideoSchema, members).video.id;
    const source = await findJob({ ...call, path: { video } });
    const named = { continuation, byPath: call.path.video !== undefined };
    const body = Buffer.from(JSON.stringify(submitOf(members, source, named, onUnknownField(call))));
    try {
      const wording = { schema: openaiRequestSchema, limit: 2 * BODY_LIMIT };
      return await submit({ ...written, body }, describeNewOpenaiVideo, wording);
    } catch (error) {
      // The path of a remix names the video.
      throw inWrittenWords(error, Buffer.from(JSON.stringify({ ...members, video })));
    }
  };
}
