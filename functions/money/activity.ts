import * as v from 'valibot';
import { type AccountUpdate, accountUpdate } from './account-update.ts';
import { micros, microsSchema } from './micros.ts';

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

/** The date of either kind of day. */
export const dateOf = ({ day }: Pick<Activity, 'day'>): string => day.slice(0, '2030-01-31'.length);

/** All jobs of one key and model that have ended on one day. */
export const activitySchema = v.object({
  ...dimensions,
  user: v.exactOptional(v.string()),
  /** The last that served one of the jobs. Rows of older versions have none. */
  endpoint: v.exactOptional(v.string()),
  jobs: v.number(),
  completed: v.number(),
  /** Seconds of completed video. */
  seconds: v.number(),
  micros: microsSchema,
  /** How much of it was on provider keys of the workspaces. Rows of older versions have none. */
  byok_micros: v.exactOptional(microsSchema),
});
export type Activity = Readonly<v.InferOutput<typeof activitySchema>>;

/** Adds to what is counted already. The row is in the accounts' table, because it is written in their transactions. */
export function activityUpdate(activity: Activity): AccountUpdate {
  const { jobs, completed, seconds, micros: cost, byok_micros = micros(0), ...named } = activity;
  const { day, workspace_id, key_hash, model, provider, user } = named;
  // The only part that may contain a `#` comes last.
  const parts = [day, workspace_id, key_hash, model, provider, ...(user === undefined ? [] : [user])];
  const counts = { jobs, completed, seconds, micros: cost, byok_micros };
  const sums = Object.keys(counts).map((name) => `#${name} = if_not_exists(#${name}, :zero) + :${name}`);
  const names = Object.keys(named).map((name) => `#${name} = :${name}`);
  const values = Object.entries({ ...counts, ...named }).map(([name, value]) => [`:${name}`, value]);
  return accountUpdate(`activity#${parts.join('#')}`, [...sums, ...names], [], {
    ':zero': 0,
    ...Object.fromEntries(values),
  });
}
