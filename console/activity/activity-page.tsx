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
import { useSession } from '../session/session.ts';
import { ActivityTable } from './activity-table.tsx';
import { BarChart } from './bar-chart.tsx';
import { GROUPS, type Group, MEASURES, type Measure, seriesOf } from './series.ts';

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
        <Picker label="By" value={group} choices={GROUPS} onChange={setGroup} />
        <Picker label="Shown" value={measure} choices={MEASURES} onChange={setMeasure} />
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

interface PickerProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly Value[];
  readonly onChange: (value: Value) => void;
}

function Picker<Value extends string>({ label, value, choices, onChange }: PickerProps<Value>) {
  return (
    <label>
      <span>{label}</span>
      <select
        value={value}
        onChange={({ currentTarget }) =>
          onChange(choices.find((each) => each === currentTarget.value) ?? value)
        }
      >
        {choices.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </label>
  );
}
