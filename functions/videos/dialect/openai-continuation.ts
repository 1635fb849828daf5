import * as v from 'valibot';
import type { Continuation } from '../catalogue/continuation.ts';
import { VIDEO_ID } from '../video-id.ts';

const NAMED = 'must have the id of a completed video (vid_…); a video file cannot be continued';

const namedVideo = v.pipe(
  v.object({ id: v.pipe(v.string(NAMED), v.regex(VIDEO_ID, NAMED), v.description('Its id')) }, NAMED),
  v.description('The completed video'),
);

/** What an edit or an extension says beside the fields of a submit. */
export const namedVideoField = { video: namedVideo };

/** The completed video that a body names. */
export const namedVideoSchema = v.object(namedVideoField);

/**
 * An edit, an extension or a remix as OpenAI's clients write it, as a submit: `model` is that of the completed video,
 * unless the body names another.
 */
export function submitOf(
  body: Readonly<Record<string, unknown>>,
  { id, model, workspace_id }: { readonly id: string; readonly model: string; readonly workspace_id: string },
  continuation: Continuation,
): Record<string, unknown> {
  const { video: _, ...fields } = body;
  return { model, ...fields, previous_job_id: id, continuation, workspace_id };
}
