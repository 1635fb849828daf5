import * as v from 'valibot';
import type { Page } from '../../aws/dynamo-reads.ts';
import { count } from '../../http/answer-schemas.ts';
import type { RequestedVideo } from '../catalogue/requested-video.ts';
import { goneAt, type Job, type JobStatus, type JobWithRequest } from '../jobs/job.ts';
import { FAILURE_TYPES } from '../jobs/job-failure.ts';
import { failureDetails } from '../jobs/job-view.ts';
import { VIDEO_ID } from '../video-id.ts';

const STATUSES = {
  pending: 'queued',
  in_progress: 'in_progress',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'failed',
  expired: 'failed',
} as const satisfies Record<JobStatus, string>;

const unixSeconds = (what: string, otherwise = '') =>
  v.pipe(count, v.description(`${what}, in Unix seconds${otherwise}`));

/** A job as OpenAI's clients read it: every field is there, and null where it means nothing yet. */
export const openaiVideoSchema = v.object({
  id: v.pipe(v.string(), v.regex(VIDEO_ID)),
  object: v.literal('video'),
  model: v.string(),
  status: v.pipe(
    v.picklist(['queued', 'in_progress', 'completed', 'failed']),
    v.description('Status of the job. Cancelled and expired jobs are `failed`'),
  ),
  progress: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
  created_at: unixSeconds('Time of creation'),
  completed_at: v.nullable(unixSeconds('Time at which the job ended', '. Null until then')),
  expires_at: v.nullable(
    unixSeconds('Time at which the video expires', '. Null unless the job has completed'),
  ),
  seconds: v.optional(v.string()),
  size: v.optional(
    v.pipe(
      v.string(),
      v.description(
        'Size of the requested video in pixels, such as `1280x720`. If an input or the video to continue determines the aspect ratio or the resolution, the size of the video can differ',
      ),
    ),
  ),
  prompt: v.pipe(
    v.nullable(v.string()),
    v.description(
      'The prompt. Null in lists and if Genway cannot read it. Also null for management keys and for keys without the operation group `content`, except in the response to a submission',
    ),
  ),
  remixed_from_video_id: v.pipe(
    v.nullable(v.string()),
    v.description(
      'ID of the video that the job edits. Null if the job edits no video. Also null if `prompt` is null',
    ),
  ),
  error: v.nullable(v.object({ code: v.picklist(FAILURE_TYPES), message: v.string() })),
});
export type OpenaiVideo = v.InferOutput<typeof openaiVideoSchema>;

export const openaiVideosSchema = v.object({
  object: v.literal('list'),
  data: v.array(openaiVideoSchema),
  first_id: v.nullable(v.string()),
  last_id: v.pipe(
    v.nullable(v.string()),
    v.description(
      'ID to send as `after` to get the next page. With a filter, it can be the ID of a video that is not on this page. Null if nothing follows and the page is empty',
    ),
  ),
  has_more: v.boolean(),
});

/** A job whose submit is known. */
export const describeNewOpenaiVideo = (job: JobWithRequest): OpenaiVideo =>
  describeOpenaiVideo(job, job.request);

/** @param request what was asked for, where it is known */
export function describeOpenaiVideo(job: Job, request?: RequestedVideo): OpenaiVideo {
  const { status, completed_at: end, error } = job;
  return {
    id: job.id,
    object: 'video',
    model: job.model,
    status: STATUSES[status],
    progress: status === 'completed' ? 100 : (job.progress ?? 0),
    created_at: inSeconds(new Date(job.created_at)),
    completed_at: end === undefined ? null : inSeconds(new Date(end)),
    expires_at: inSecondsOrNull(goneAt(job)),
    seconds: job.duration_seconds?.toString(),
    size: job.size,
    // The request has a row of its own, which may be large; a list reads the small rows of jobs only.
    prompt: request?.prompt ?? null,
    remixed_from_video_id: request?.input_references.find(({ kind }) => kind === 'edit')?.url ?? null,
    error: error === undefined ? null : { code: failureDetails(job, error).type, message: error },
  };
}

const inSeconds = (instant: Date): number => Math.floor(instant.getTime() / 1000);
const inSecondsOrNull = (instant: Date | undefined) => (instant === undefined ? null : inSeconds(instant));

/** A page; the next one begins after its last id. */
export function describeOpenaiVideos({ rows, cursor }: Page<Job>): v.InferOutput<typeof openaiVideosSchema> {
  return {
    object: 'list',
    data: rows.map((job) => describeOpenaiVideo(job)),
    first_id: rows[0]?.id ?? null,
    last_id: cursor ?? rows.at(-1)?.id ?? null,
    has_more: cursor !== null,
  };
}
