import * as v from 'valibot';
import { type AccountUpdate, accountUpdate } from './account-update.ts';
import { micros, microsSchema, microsToUsd, plus } from './micros.ts';

/** The fields by which reports tell jobs apart. */
const dimensions = {
  day: v.string(),
  workspace_id: v.string(),
  key_hash: v.string(),
  model: v.string(),
  provider: v.string(),
};

/**
 * The jobs of one day that name a user are counted a second time, under a day of their own: a report that is not by user
 * need not read a row for each of them.
 */
export const dayOfUsers = (day: string): string => `${day}#users`;

/** All jobs of one key and model that have ended on one day. */
export const activitySchema = v.object({
  ...dimensions,
  user: v.exactOptional(v.string()),
  jobs: v.number(),
  completed: v.number(),
  /** Seconds of completed video. */
  seconds: v.number(),
  micros: microsSchema,
});
export type Activity = Readonly<v.InferOutput<typeof activitySchema>>;

/** Adds to what is counted already. The row is in the accounts' table, because it is written in their transactions. */
export function activityUpdate(activity: Activity): AccountUpdate {
  const { jobs, completed, seconds, micros: cost, ...named } = activity;
  const { day, workspace_id, key_hash, model, provider, user } = named;
  // The only part that may contain a `#` comes last.
  const parts = [day, workspace_id, key_hash, model, provider, ...(user === undefined ? [] : [user])];
  const counts = { jobs, completed, seconds, micros: cost };
  const sums = Object.keys(counts).map((name) => `#${name} = if_not_exists(#${name}, :zero) + :${name}`);
  const names = Object.keys(named).map((name) => `#${name} = :${name}`);
  const values = Object.entries({ ...counts, ...named }).map(([name, value]) => [`:${name}`, value]);
  return accountUpdate(`activity#${parts.join('#')}`, [...sums, ...names], [], {
    ':zero': 0,
    ...Object.fromEntries(values),
  });
}

const DATE_LENGTH = '2030-01-31'.length;

/** By what a report may be divided, besides days, and the field for it. */
export const GROUPS = {
  workspace: 'workspace_id',
  key: 'key_hash',
  model: 'model',
  provider: 'provider',
  user: 'user',
} as const;
export type Group = keyof typeof GROUPS;

/** One line for each day, or each day and group: the latest day first, and within it the highest cost. */
export function reportActivity(rows: readonly Activity[], group: Group | undefined) {
  const lines = new Map<
    string,
    { name: string | undefined; total: Omit<Activity, keyof typeof dimensions> & { day: string } }
  >();
  for (const row of rows) {
    const name = group === undefined ? undefined : row[GROUPS[group]];
    const id = `${row.day} ${name ?? ''}`;
    const { total } = lines.get(id) ?? {
      total: { day: row.day, jobs: 0, completed: 0, seconds: 0, micros: micros(0) },
    };
    lines.set(id, {
      name,
      total: {
        day: row.day,
        jobs: total.jobs + row.jobs,
        completed: total.completed + row.completed,
        seconds: total.seconds + row.seconds,
        micros: plus(total.micros, row.micros),
      },
    });
  }
  return [...lines.values()]
    .toSorted((a, b) => b.total.day.localeCompare(a.total.day) || b.total.micros - a.total.micros)
    .map(({ name, total: { day, micros: cost, ...counts } }) => ({
      date: day.slice(0, DATE_LENGTH),
      ...(group === undefined ? {} : { [GROUPS[group]]: name }),
      ...counts,
      cost: microsToUsd(cost),
    }));
}
