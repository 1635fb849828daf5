import * as v from 'valibot';
import { invalidField } from '../http/errors.ts';
import { describedTimestamp } from '../http/validation.ts';
import { type Activity, dateOf } from './activity.ts';
import { dayOf, GROUPS, latestDays } from './activity-report.ts';
import { micros, microsToUsd, total } from './micros.ts';

const DAY_MILLISECONDS = 86_400_000;
const MOST_DAYS = 92;
const MOST_ROWS = 10_000;
const MOST_NAMES = 20;

/** What figures are divided by: its label, and the field of an activity. */
const DIMENSIONS = {
  model: ['Model', GROUPS.model],
  provider: ['Provider', GROUPS.provider],
  workspace: ['Workspace', GROUPS.workspace],
  api_key_id: ['API key', GROUPS.key],
  user: ['User', GROUPS.user],
} as const;
type Dimension = keyof typeof DIMENSIONS;

const sum = (rows: readonly Activity[], of: (row: Activity) => number) =>
  rows.reduce((counted, row) => counted + of(row), 0);

/** What is counted: its label, its format, whether it is a share, and how it follows from activities. */
const METRICS = {
  request_count: ['Jobs', 'number', false, (rows) => sum(rows, ({ jobs }) => jobs)],
  completed_count: ['Completed jobs', 'number', false, (rows) => sum(rows, ({ completed }) => completed)],
  success_rate: [
    'Share of jobs that completed',
    'percent',
    true,
    (rows) => sum(rows, ({ completed }) => completed) / sum(rows, ({ jobs }) => jobs),
  ],
  video_seconds: ['Seconds of video', 'number', false, (rows) => sum(rows, ({ seconds }) => seconds)],
  cost: ['Cost', 'currency', false, (rows) => microsToUsd(total(rows, (row) => row.micros))],
  byok_cost: [
    'Cost on your own provider keys',
    'currency',
    false,
    (rows) => microsToUsd(total(rows, ({ byok_micros = micros(0) }) => byok_micros)),
  ],
} as const satisfies Readonly<
  Record<string, readonly [string, string, boolean, (rows: readonly Activity[]) => number]>
>;

/** The first day of the period in which a day is. */
const GRANULARITIES = {
  day: ['Day', (day: string) => day],
  week: [
    'Week',
    (day: string) => {
      const at = new Date(day);
      return dayOf(new Date(at.getTime() - ((at.getUTCDay() + 6) % 7) * DAY_MILLISECONDS));
    },
  ],
  month: ['Month', (day: string) => `${day.slice(0, 7)}-01`],
} as const;

const OPERATORS = { eq: 'scalar', neq: 'scalar', in: 'array', not_in: 'array' } as const;

const namesOf = <Names extends object>(of: Names) => Object.keys(of) as (keyof Names & string)[];

/** The body of `POST /analytics/query`. */
export const analyticsQuerySchema = v.object({
  metrics: v.pipe(
    v.array(v.picklist(namesOf(METRICS))),
    v.minLength(1),
    v.maxLength(MOST_NAMES),
    v.description('Metrics to return'),
  ),
  dimensions: v.optional(
    v.pipe(
      v.array(v.picklist(namesOf(DIMENSIONS))),
      v.maxLength(MOST_NAMES),
      v.description('Dimensions to group by'),
    ),
    [],
  ),
  granularity: v.exactOptional(
    v.pipe(
      v.picklist(namesOf(GRANULARITIES)),
      v.description('Period to group by; `date` is its first day. If omitted, jobs are not grouped by time'),
    ),
  ),
  filters: v.optional(
    v.pipe(
      v.array(
        v.pipe(
          v.object({
            field: v.pipe(v.picklist(namesOf(DIMENSIONS)), v.description('Dimension to compare')),
            operator: v.pipe(v.picklist(namesOf(OPERATORS)), v.description('`in` and `not_in` need a list')),
            value: v.pipe(
              v.union(
                [v.string(), v.pipe(v.array(v.string()), v.maxLength(100))],
                'must be a string or a list of strings',
              ),
              v.description(
                'Value to compare with: the ID of the requested model or endpoint, a `user`, the name of a provider, the ID of a workspace or the hash of a key',
              ),
            ),
          }),
          v.forward(
            v.check(
              ({ operator, value }) => (OPERATORS[operator] === 'array') === Array.isArray(value),
              'must be a list for `in` and `not_in`, and a string for `eq` and `neq`',
            ),
            ['value'],
          ),
        ),
      ),
      v.maxLength(MOST_NAMES),
      v.description('Conditions. Genway counts only the jobs that meet all of them'),
    ),
    [],
  ),
  time_range: v.exactOptional(
    v.pipe(
      v.object({
        start: describedTimestamp('Start of the range. Includes the whole UTC day'),
        end: describedTimestamp('End of the range. Includes the whole UTC day, unless the time is 00:00 UTC'),
      }),
      v.description('Range of whole days in UTC, at most 92. Default: the last 30 days'),
    ),
  ),
  order_by: v.exactOptional(
    v.pipe(
      v.object({
        field: v.pipe(
          v.string(),
          v.description(
            'A metric or dimension of the query. `request_count` is always allowed, and `date` if the query has a `granularity`',
          ),
        ),
        direction: v.pipe(v.picklist(['asc', 'desc']), v.description('`desc`: in descending order')),
      }),
      v.description(
        'Sort order. By default, the latest date comes first or, without `granularity`, the highest `request_count`',
      ),
    ),
  ),
  limit: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(MOST_ROWS),
      v.description('Maximum number of rows'),
    ),
    1000,
  ),
  group_limit: v.exactOptional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.description('Maximum rows per combination of `dimensions`, if the query has a `granularity`'),
    ),
  ),
});
export type AnalyticsQuery = v.InferOutput<typeof analyticsQuerySchema>;

/** Whether a query is about jobs that name a user, which are counted apart. */
export const isAboutUsers = ({ dimensions, filters }: AnalyticsQuery): boolean =>
  dimensions.includes('user') || filters.some(({ field }) => field === 'user');

/** The days that a query is about. @throws InvalidRequest for too many */
export function daysOf({ time_range: range }: AnalyticsQuery, now: Date): string[] {
  if (range === undefined) return latestDays(now);
  const first = Date.parse(dayOf(new Date(range.start)));
  const end = Date.parse(range.end);
  const count = Math.ceil((end - first) / DAY_MILLISECONDS);
  if (end > Date.parse(range.start) && count <= MOST_DAYS)
    return Array.from({ length: count }, (_, i) => dayOf(new Date(first + i * DAY_MILLISECONDS)));
  throw invalidField('time_range', `must cover 1 to ${MOST_DAYS} days in UTC, and end after its start`);
}

type Value = string | number;

/** The rows of an answer, and whether there were more. @throws InvalidRequest */
export function analyse(activities: readonly Activity[], asked: AnalyticsQuery) {
  const { metrics, dimensions, granularity, limit } = asked;
  const { field, direction } = orderOf(asked);
  const chosen = activities.filter((activity) => asked.filters.every((filter) => passes(activity, filter)));
  const groups = Map.groupBy(chosen, (activity) => JSON.stringify(labelsOf(activity, asked)));
  const sorted = [...groups.values()]
    .flatMap((rows) => rows.slice(0, 1).map((first) => ({ ...figuresOf(rows), ...labelsOf(first, asked) })))
    .toSorted((a, b) => (direction === 'asc' ? 1 : -1) * compare(a[field], b[field]));
  const rows = firstOfEach(sorted, asked);
  const shown = [...(granularity === undefined ? [] : ['date']), ...dimensions, ...metrics];
  const data = rows.slice(0, limit).map((row) => Object.fromEntries(shown.map((name) => [name, row[name]])));
  return { data, isCut: data.length < sorted.length };
}

function orderOf({ metrics, dimensions, granularity, order_by }: AnalyticsQuery) {
  const date = granularity === undefined ? [] : ['date'];
  if (order_by === undefined) return { field: date[0] ?? 'request_count', direction: 'desc' };
  const supported = [...new Set([...metrics, ...dimensions, ...date, 'request_count'])];
  if (supported.includes(order_by.field)) return order_by;
  const rule = `must be one of ${supported.join(', ')}`;
  throw invalidField(['order_by', 'field'], rule, { supported });
}

const labelOf = (activity: Activity, dimension: Dimension): string =>
  activity[DIMENSIONS[dimension][1]] ?? '';

function passes(activity: Activity, { field, operator, value }: AnalyticsQuery['filters'][number]): boolean {
  const isAmong = [value].flat().includes(labelOf(activity, field));
  return operator === 'eq' || operator === 'in' ? isAmong : !isAmong;
}

function labelsOf(activity: Activity, { dimensions, granularity }: AnalyticsQuery): Record<string, Value> {
  return {
    ...(granularity === undefined ? {} : { date: GRANULARITIES[granularity][1](dateOf(activity)) }),
    ...Object.fromEntries(dimensions.map((name) => [name, labelOf(activity, name)])),
  };
}

const figuresOf = (rows: readonly Activity[]): Record<string, Value> =>
  Object.fromEntries(Object.entries(METRICS).map(([name, [, , , figure]]) => [name, figure(rows)]));

const compare = (a: Value = '', b: Value = ''): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));

/** At most so many rows with the same dimensions. */
function firstOfEach(
  rows: readonly Readonly<Record<string, Value>>[],
  { dimensions, group_limit: most }: AnalyticsQuery,
) {
  if (most === undefined || dimensions.length === 0) return rows;
  const seen = new Map<string, number>();
  return rows.filter((row) => {
    const id = JSON.stringify(dimensions.map((name) => row[name]));
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    return count <= most;
  });
}

const name = v.pipe(v.string(), v.description('Name to use in queries'));
const named = { name, display_label: v.pipe(v.string(), v.description('Label to display')) };

/** The answer of `GET /analytics/meta`: what a query may ask for. */
export const analyticsMetaSchema = v.object({
  metrics: v.array(
    v.object({
      ...named,
      display_format: v.pipe(
        v.picklist(['number', 'currency', 'percent']),
        v.description('Format of the value. `currency`: in USD. `percent`: a share from 0 to 1'),
      ),
      is_rate: v.pipe(v.boolean(), v.description('Whether the metric is a ratio, which cannot be summed')),
    }),
  ),
  dimensions: v.array(v.object(named)),
  granularities: v.array(v.object(named)),
  operators: v.array(
    v.object({
      name,
      value_type: v.pipe(
        v.picklist(['scalar', 'array']),
        v.description('Whether the operator takes one value or a list'),
      ),
    }),
  ),
});

export function analyticsMeta(): v.InferOutput<typeof analyticsMetaSchema> {
  const labelled = (of: Readonly<Record<string, readonly [string, unknown]>>) =>
    Object.entries(of).map(([name, [display_label]]) => ({ name, display_label }));
  return {
    metrics: Object.entries(METRICS).map(([name, [display_label, display_format, is_rate]]) => ({
      name,
      display_label,
      display_format,
      is_rate,
    })),
    dimensions: labelled(DIMENSIONS),
    granularities: labelled(GRANULARITIES),
    operators: Object.entries(OPERATORS).map(([name, value_type]) => ({ name, value_type })),
  };
}

/** The answer of `POST /analytics/query`. */
export const analyticsAnswerSchema = v.object({
  data: v.pipe(
    v.array(v.record(v.string(), v.union([v.string(), v.number()]))),
    v.description('One row per group: its dimensions, its metrics, and `date` if there is a `granularity`'),
  ),
  metadata: v.pipe(
    v.object({
      query_time_ms: v.pipe(v.number(), v.description('Duration of the query, in milliseconds')),
      row_count: v.pipe(v.number(), v.description('Number of rows in `data`')),
      truncated: v.pipe(v.boolean(), v.description('Whether rows are missing because of a limit')),
    }),
    v.description('Duration of the query, number of rows, and whether rows are missing'),
  ),
});
