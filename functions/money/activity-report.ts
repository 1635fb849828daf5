import * as v from 'valibot';
import { count, dataSchema, usd } from '../http/answer-schemas.ts';
import type { Group } from './activity.ts';

const GROUP_NAMES = ['workspace', 'key', 'model', 'provider'] as const satisfies readonly Group[];
const DATE_RULE = 'must be a date in UTC, such as 2030-01-31';

/** The query of `GET /activity`. */
export const activityQuery = {
  date: v.exactOptional(
    v.pipe(v.string(), v.isoDate(DATE_RULE), v.description('One day, in UTC; without it, the last thirty')),
  ),
  group_by: v.exactOptional(
    v.pipe(
      v.picklist(GROUP_NAMES, `must be one of ${GROUP_NAMES.join(', ')}`),
      v.description('By what each day is divided'),
    ),
  ),
};

export const activityReportSchema = dataSchema(
  v.array(
    v.object({
      date: v.pipe(v.string(), v.isoDate()),
      workspace_id: v.optional(v.string()),
      key_hash: v.optional(v.string()),
      model: v.optional(v.string()),
      provider: v.optional(v.string()),
      jobs: count,
      completed: count,
      seconds: v.pipe(count, v.description('Of completed video')),
      cost: usd,
    }),
  ),
);
