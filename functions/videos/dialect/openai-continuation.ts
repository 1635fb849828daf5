import * as v from 'valibot';
import { defined } from '../../defined.ts';
import { readFields } from '../../http/schema-fields.ts';
import type { Warn } from '../../http/unknown-names.ts';
import type { Continuation } from '../catalogue/continuation.ts';
import { VIDEO_ID } from '../video-id.ts';

const NAMED = 'must name a completed video, as "video": {"id": "vid_…"} in JSON or video[id]=vid_… in a form';

const namedVideo = v.pipe(
  v.object(
    { id: v.pipe(v.string(NAMED), v.regex(VIDEO_ID, NAMED), v.description('ID of the completed video')) },
    NAMED,
  ),
  v.description('The completed video, by its ID'),
);

/** What an edit or an extension says beside the fields of a submit. */
export const namedVideoField = { video: namedVideo };

/** The completed video that a body names. */
export const namedVideoSchema = v.object(namedVideoField);

/** The completed video that is gone on with. */
interface Source {
  readonly id: string;
  readonly model: string;
  readonly workspace_id: string;
}

/** What a continuation says of its video. */
interface Named {
  readonly continuation: Continuation;
  /** Whether the path names it, so that the body need not. */
  readonly byPath: boolean;
}

/**
 * An edit, an extension or a remix as OpenAI's clients write it, as a submit: `model` is that of the completed video,
 * unless the body names another. `warn` hears of what has no effect.
 */
export function submitOf(
  { video, previous_job_id, continuation: said, ...fields }: Readonly<Record<string, unknown>>,
  { id, model, workspace_id }: Source,
  { continuation, byPath }: Named,
  warn: Warn,
): Record<string, unknown> {
  const named = byPath ? v.object({}) : namedVideoSchema;
  readFields(named, defined({ video, previous_job_id, continuation: said }), warn);
  return {
    ...fields,
    model: fields.model ?? model,
    workspace_id: fields.workspace_id ?? workspace_id,
    previous_job_id: id,
    continuation,
  };
}
