import * as v from 'valibot';
import { count, dataSchema, usd } from '../http/answer-schemas.ts';
import type { Group } from './activity.ts';

const GROUP_NAMES = ['workspace', 'key', 'model', 'provider', 'user'] as const satisfies readonly Group[];
const DATE_RULE = 'must be a date in UTC, such as 2030-01-31';

/** The query of `GET /activity`. */
export const activityQuery = {
  date: v.exactOptional(
    v.pipe(v.string(), v.isoDate(DATE_RULE), v.description('One day, in UTC; without it, the last thirty')),
  ),
  group_by: v.exactOptional(
    v.pipe(
      v.picklist(GROUP_NAMES, `must be one of ${GROUP_NAMES.join(', ')}`),
      v.description('By what each day is divided. `user`: only jobs that named one'),
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
      user: v.optional(v.string()),
      jobs: count,
      completed: count,
      seconds: v.pipe(count, v.description('Of completed video')),
      cost: usd,
    }),
  ),
);

const DAY_MILLISECONDS = 86_400_000;
const LONGEST_DAYS = 30;

/** The date in UTC, `2030-01-31`. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The days of a report that names no day, the latest first. */
export const latestDays = (now: Date): string[] =>
  Array.from({ length: LONGEST_DAYS }, (_, i) => dayOf(new Date(now.getTime() - i * DAY_MILLISECONDS)));
