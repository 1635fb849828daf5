import * as v from 'valibot';
import { KEY_HASH } from '../../keys/key-format.ts';
import type { Activity } from '../../money/activity.ts';
import type { Group } from '../../money/activity-report.ts';

const GROUP_NAMES = ['workspace', 'key', 'model', 'provider', 'user'] as const satisfies readonly Group[];
const DATE_RULE = 'must be a date in UTC, such as 2030-01-31';

/** The query of `GET /activity`. */
export const activityQuery = {
  date: v.exactOptional(
    v.pipe(v.string(), v.isoDate(DATE_RULE), v.description('One day in UTC. If omitted, the last 30 days')),
  ),
  group_by: v.exactOptional(
    v.pipe(
      v.picklist(GROUP_NAMES),
      v.description(
        'Additional dimension to group by. `model` and `provider` have no effect, because every row has one of each. `user` includes only jobs with a `user`',
      ),
    ),
  ),
  api_key_hash: v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(KEY_HASH, 'must be the hash of a key'),
      v.description('Only jobs of the key with this hash'),
    ),
  ),
  user_id: v.exactOptional(v.pipe(v.string(), v.description('Only jobs with this `user`'))),
  workspace_id: v.exactOptional(
    v.pipe(
      v.string(),
      v.uuid('must be the ID (a UUID) of a workspace'),
      v.description('Only jobs of the workspace with this ID'),
      v.transform((id) => id.toLowerCase()),
    ),
  ),
};
type Asked = v.InferOutput<v.ObjectSchema<typeof activityQuery, undefined>>;

/** Whether a report is of the jobs that name a user, which are counted apart. */
export const isOfUsers = ({ group_by, user_id }: Asked): boolean =>
  group_by === 'user' || user_id !== undefined;

/** Whether a report is of these jobs. */
export const isAskedFor = (
  { workspace_id, key_hash, user }: Pick<Activity, 'workspace_id' | 'key_hash' | 'user'>,
  asked: Asked,
): boolean =>
  (asked.workspace_id ?? workspace_id) === workspace_id &&
  (asked.api_key_hash ?? key_hash) === key_hash &&
  (asked.user_id ?? user) === user;
