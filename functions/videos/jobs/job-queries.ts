import * as v from 'valibot';
import { timestamp } from '../../http/timestamp.ts';
import { wholeNumber, workspaceId } from '../../http/validation.ts';
import { KEY_HASH } from '../../keys/key-format.ts';
import { JOB_STATUSES, VIDEO_ID } from './job.ts';

const instant = v.pipe(
  timestamp,
  v.transform((text) => new Date(text)),
);

/** What `GET /videos` takes. */
export const jobListQuery = {
  status: v.exactOptional(v.picklist(JOB_STATUSES, `must be one of ${JOB_STATUSES.join(', ')}`)),
  model: v.exactOptional(v.string()),
  key: v.exactOptional(v.pipe(v.string(), v.regex(KEY_HASH, 'must be the hash of a key'))),
  since: v.exactOptional(instant),
  until: v.exactOptional(instant),
  limit: v.optional(wholeNumber(1, 100), '20'),
  workspace_id: v.exactOptional(workspaceId),
  // The id of the last job read: in another workspace or forged it only begins elsewhere in one's own list.
  cursor: v.exactOptional(v.pipe(v.string(), v.regex(VIDEO_ID, 'must be the cursor of the page before'))),
};

/** What a submit takes beside its body; a field of it says the same. */
export const submitQuery = { workspace_id: v.exactOptional(workspaceId) };

/** What every call about one job takes: the workspace that it must be of. */
export const jobQuery = { workspace_id: v.exactOptional(v.string()) };

/** Which of its results `GET /videos/{id}/content` is to give. */
export const jobContentQuery = { index: v.optional(wholeNumber(0, 99), '0') };
