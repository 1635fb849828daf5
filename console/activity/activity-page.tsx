import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { answered } from '../api/client.ts';
import { useKeys } from '../manage/use-keys.ts';
import { useWorkspaces } from '../manage/use-workspaces.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { FailureNote } from '../parts/failure-note.tsx';
import { Loading } from '../parts/loading.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { useSession } from '../session/session.ts';
import { ActivityTable } from './activity-table.tsx';
import { BarChart } from './bar-chart.tsx';
import { GROUPS, type Group, MEASURES, type Measure, seriesOf } from './series.ts';

const same = <Value extends string>(value: Value) => [value, value] as const;

/** Spend, jobs and seconds of the last thirty days. */
export default function ActivityPage() {
  const { api } = useSession();
  const [group, setGroup] = useState<Group>('model');
  const [measure, setMeasure] = useState<Measure>('cost');
  const nameOf = useNames();
  const { data: rows, error } = useQuery({
    queryKey: ['activity', group],
    queryFn: async () =>
      (await answered(api.GET('/activity', { params: { query: { group_by: group } } }))).data,
  });
  const series = seriesOf(rows ?? [], group, measure, nameOf);
  return (
    <Page title="Activity">
      <div class="filters">
        <SelectField label="By" value={group} choices={GROUPS.map(same)} onChange={setGroup} />
        <SelectField label="Shown" value={measure} choices={MEASURES.map(same)} onChange={setMeasure} />
      </div>
      <FailureNote error={error} />
      {rows === undefined && error === null && <Loading what="activity" />}
      {rows?.length === 0 && (
        <EmptyState title="Nothing has ended yet">
          <p>A job counts on the day on which it ends.</p>
        </EmptyState>
      )}
      {rows !== undefined && rows.length > 0 && (
        <Section title={`${measure} a day, by ${group}`}>
          <BarChart series={series} measure={measure} />
          <ActivityTable series={series} measure={measure} />
        </Section>
      )}
    </Page>
  );
}

/** Ids of workspaces and hashes of keys as people know them. */
function useNames(): (id: string) => string {
  const { data: workspaces = [] } = useWorkspaces();
  const { data: keys = [] } = useKeys();
  const names = new Map([
    ...workspaces.map(({ id, name }) => [id, name] as const),
    ...keys.map(({ hash, name }) => [hash, name] as const),
  ]);
  return (id) => names.get(id) ?? id;
}
