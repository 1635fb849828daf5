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

/** A bar a day for each group, 0 where a group had nothing on a day. */
export function seriesOf(
  rows: readonly Row[],
  group: Group,
  measure: Measure,
  nameOf: (id: string) => string = (id) => id,
): Series {
  const days = [...new Set(rows.map(({ date }) => date))].toSorted();
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

/** Of all days and groups together. */
export function totalsOf(rows: readonly ActivityRow[]): Readonly<Record<Measure, number>> {
  const sum = (measure: Measure) => rows.reduce((total, row) => total + row[measure], 0);
  return { cost: sum('cost'), jobs: sum('jobs'), completed: sum('completed'), seconds: sum('seconds') };
}
