import type { ActivityRow } from '../api/types.ts';

export const GROUPS = ['model', 'provider', 'key', 'workspace'] as const;
export type Group = (typeof GROUPS)[number];
export const MEASURES = ['cost', 'jobs', 'completed', 'seconds'] as const;
export type Measure = (typeof MEASURES)[number];

export interface Series {
  readonly days: readonly string[];
  readonly lines: readonly { readonly name: string; readonly values: readonly number[] }[];
}

const FIELDS = { model: 'model', provider: 'provider', key: 'key_hash', workspace: 'workspace_id' } as const;

type Row = Pick<ActivityRow, 'date' | Measure> &
  Partial<Pick<ActivityRow, 'model' | 'provider' | 'key_hash' | 'workspace_id'>>;

/** A bar a day for each group, 0 where a group had nothing on a day. @param days by default those that have rows */
export function seriesOf(
  rows: readonly Row[],
  group: Group,
  measure: Measure,
  nameOf: (id: string) => string = (id) => id,
  days: readonly string[] = [...new Set(rows.map(({ date }) => date))].toSorted(),
): Series {
  const groupOf = (row: Row) => row[FIELDS[group]] ?? 'other';
  const lines = [...new Set(rows.map(groupOf))].toSorted().map((id) => ({
    name: nameOf(id),
    values: days.map((day) =>
      rows
        .filter((row) => row.date === day && groupOf(row) === id)
        .reduce((sum, row) => sum + row[measure], 0),
    ),
  }));
  return { days, lines };
}

const DAY_MILLISECONDS = 86_400_000;
/** As many as the API has. */
const KNOWN_DAYS = 30;

const dayBefore = (now: Date, count: number): string =>
  new Date(now.getTime() - count * DAY_MILLISECONDS).toISOString().slice(0, 10);

/** In UTC, the oldest first. */
export const latestDays = (days: number, now: Date): string[] =>
  Array.from({ length: days }, (_, count) => dayBefore(now, days - 1 - count));

/** The rows of the latest days, in UTC, and of as many before; undefined where these are not known. */
export function periodsOf<Dated extends Pick<Row, 'date'>>(
  rows: readonly Dated[],
  days: number,
  now: Date,
): [latest: readonly Dated[], former: readonly Dated[] | undefined] {
  const [first, start] = [dayBefore(now, days - 1), dayBefore(now, 2 * days - 1)];
  const former = rows.filter(({ date }) => date >= start && date < first);
  return [rows.filter(({ date }) => date >= first), 2 * days > KNOWN_DAYS ? undefined : former];
}

/** Of all days and groups together. */
export function totalsOf(rows: readonly ActivityRow[]): Readonly<Record<Measure, number>> {
  const sum = (measure: Measure) => rows.reduce((total, row) => total + row[measure], 0);
  return { cost: sum('cost'), jobs: sum('jobs'), completed: sum('completed'), seconds: sum('seconds') };
}
