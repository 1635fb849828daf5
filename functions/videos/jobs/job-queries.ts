import * as v from 'valibot';
import { query, type RequestHead } from '../../http/call.ts';
import { invalidField } from '../../http/errors.ts';
import {
  describedTimestamp,
  ITS_WORKSPACE,
  pageSize,
  wholeNumber,
  workspaceId,
} from '../../http/validation.ts';
import { KEY_HASH } from '../../keys/key-format.ts';
import { VIDEO_ID } from '../video-id.ts';
import { JOB_STATUSES } from './job.ts';

const instant = (says: string) =>
  v.pipe(
    describedTimestamp(says),
    v.transform((text) => new Date(text)),
  );

const start = (rule: string) =>
  v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(VIDEO_ID, rule),
      v.description(
        '`cursor` of the previous page or, in OpenAI’s format, its `last_id`. The parameters `cursor` and `after` are equivalent',
      ),
    ),
  );

/** The query of `GET /videos`. A page begins after the `cursor`, which clients of OpenAI's API call `after`. */
export const jobListQuery = {
  status: v.exactOptional(v.pipe(v.picklist(JOB_STATUSES), v.description('Only jobs with this status'))),
  model: v.exactOptional(v.pipe(v.string(), v.description('Only jobs with this `model`'))),
  key: v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(KEY_HASH, 'must be the hash of a key'),
      v.description('Only jobs of the key with this hash'),
    ),
  ),
  since: v.exactOptional(instant('Only jobs created at or after this time')),
  until: v.exactOptional(instant('Only jobs created before this time')),
  limit: v.optional(pageSize(100), '20'),
  order: v.optional(
    v.pipe(v.picklist(['asc', 'desc'], 'must be asc or desc'), v.description('`asc`: oldest first')),
    'desc',
  ),
  workspace_id: v.exactOptional(workspaceId),
  // The id of the last job read. A forged one only begins elsewhere in the caller's own list.
  cursor: start('must be the cursor of the previous page'),
  after: start('must be the ID of a video (vid_…)'),
};

/** Which jobs a call of `GET /videos` asks for: of which workspace, how many, and how they are chosen. */
export function askedJobs(call: Pick<RequestHead, 'query'>) {
  const { limit, order, cursor, after, workspace_id, ...filter } = query(call, jobListQuery);
  if (cursor !== undefined && after !== undefined) {
    throw invalidField(['after'], 'cannot be combined with cursor');
  }
  if (filter.since !== undefined && filter.until !== undefined && filter.since > filter.until) {
    throw invalidField(['since'], 'must not be later than the value of until');
  }
  const start = cursor ?? after;
  const place = order === 'asc' ? { oldestFirst: true, after: start } : { before: start };
  return { named: workspace_id, limit, chosen: { ...filter, ...place } };
}

/** The query of a submit; the body has a field for the same. */
export const submitQuery = { workspace_id: v.exactOptional(workspaceId) };

/** The query of every call about one job: the workspace that the job must belong to. */
export const jobQuery = { workspace_id: v.exactOptional(v.pipe(v.string(), v.description(ITS_WORKSPACE))) };

const VARIANTS = ['video', 'thumbnail', 'spritesheet'] as const;
export type Variant = (typeof VARIANTS)[number];

/**
 * Which of its results `GET /videos/{id}/content` returns, or a preview of it, by the names of OpenAI's API.
 */
export const jobContentQuery = {
  index: v.optional(wholeNumber(0, 99, 'Index of the result, from 0'), '0'),
  variant: v.optional(
    v.pipe(
      v.picklist(VARIANTS),
      v.description(
        '`thumbnail` returns the first frame as a JPEG. `spritesheet` returns one JPEG with 16 evenly spaced frames, four across. Both are usually available a few seconds after the job has completed, if the video can be decoded and is at most 400 MiB',
      ),
    ),
    'video',
  ),
};
