import * as v from 'valibot';
import { count, dataSchema, usd } from '../http/answer-schemas.ts';
import { type Activity, dateOf } from './activity.ts';
import { type Micros, micros, microsToUsd, plus } from './micros.ts';

/** By what a report may be divided, besides days, and the field for it. */
export const GROUPS = {
  workspace: 'workspace_id',
  key: 'key_hash',
  model: 'model',
  provider: 'provider',
  user: 'user',
} as const;
export type Group = keyof typeof GROUPS;

const none = v.pipe(count, v.description('Always 0. Included for compatibility with OpenRouter’s clients'));

const only = (group: Group, says: string) =>
  v.pipe(v.string(), v.description(`${says}. Absent unless \`group_by\` is \`${group}\``));

const activityLineSchema = v.object({
  date: v.pipe(v.string(), v.isoDate()),
  model: v.string(),
  provider: v.string(),
  workspace_id: v.optional(only('workspace', 'ID of the workspace (a UUID)')),
  key_hash: v.optional(only('key', 'Hash of the submitting key')),
  user: v.optional(only('user', 'The `user` of the submissions')),
  jobs: count,
  completed: count,
  seconds: v.pipe(count, v.description('Total requested duration of completed jobs, in seconds')),
  cost: usd,
  model_permaslug: v.pipe(v.string(), v.description('The same as `model`')),
  endpoint_id: v.pipe(
    v.string(),
    v.description(
      'ID of the endpoint that served the jobs or, if none did, that Genway last selected for them. For jobs of older versions of Genway, the same as `model`',
    ),
  ),
  provider_name: v.pipe(v.string(), v.description('The same as `provider`')),
  requests: v.pipe(count, v.description('The same as `jobs`')),
  usage: v.pipe(
    v.number(),
    v.description(
      'Cost of jobs that did not run on your own provider keys, in USD: `cost` minus `byok_usage_inference`',
    ),
  ),
  byok_usage_inference: v.pipe(v.number(), v.description('Cost of jobs on your own provider keys, in USD')),
  prompt_tokens: none,
  completion_tokens: none,
  reasoning_tokens: none,
  cached_tokens: none,
});
export type ActivityLine = v.InferOutput<typeof activityLineSchema>;

export const activityReportSchema = dataSchema(v.array(activityLineSchema));

const DAY_MILLISECONDS = 86_400_000;
const LONGEST_DAYS = 30;

/** The date in UTC, `2030-01-31`. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The days of a report that names no day, the latest first. */
export const latestDays = (now: Date): string[] =>
  Array.from({ length: LONGEST_DAYS }, (_, i) => dayOf(new Date(now.getTime() - i * DAY_MILLISECONDS)));

interface Line {
  readonly row: Activity;
  readonly total: Pick<Activity, 'jobs' | 'completed' | 'seconds' | 'micros'> & { readonly byok: Micros };
}

/** One line for each day, model, endpoint and group: the latest day first, and within it the highest cost. */
export function reportActivity(rows: readonly Activity[], group: Group | undefined): ActivityLine[] {
  const lines = new Map<string, Line>();
  for (const row of rows) {
    const { day, model, provider, endpoint } = row;
    const id = JSON.stringify([day, model, provider, endpoint, group && row[GROUPS[group]]]);
    const total = lines.get(id)?.total ?? NOTHING;
    lines.set(id, {
      row,
      total: {
        jobs: total.jobs + row.jobs,
        completed: total.completed + row.completed,
        seconds: total.seconds + row.seconds,
        micros: plus(total.micros, row.micros),
        byok: plus(total.byok, row.byok_micros ?? NOTHING.byok),
      },
    });
  }
  return [...lines.values()]
    .toSorted((a, b) => b.row.day.localeCompare(a.row.day) || b.total.micros - a.total.micros)
    .map((line) => shownLine(line, group));
}

const NOTHING: Line['total'] = { jobs: 0, completed: 0, seconds: 0, micros: micros(0), byok: micros(0) };

function shownLine({ row, total }: Line, group: Group | undefined): ActivityLine {
  const { model, provider, endpoint = model } = row;
  const { micros: cost, byok, ...counts } = total;
  return {
    date: dateOf(row),
    model,
    provider,
    ...(group === undefined ? {} : { [GROUPS[group]]: row[GROUPS[group]] }),
    ...counts,
    cost: microsToUsd(cost),
    model_permaslug: model,
    endpoint_id: endpoint,
    provider_name: provider,
    requests: counts.jobs,
    usage: microsToUsd(micros(cost - byok)),
    byok_usage_inference: microsToUsd(byok),
    ...NO_TOKENS,
  };
}

/** A report counts no tokens; they are in the cost. */
const NO_TOKENS = { prompt_tokens: 0, completion_tokens: 0, reasoning_tokens: 0, cached_tokens: 0 };
