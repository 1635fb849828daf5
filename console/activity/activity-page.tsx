import { useQuery } from '@tanstack/preact-query';
import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  type ChartConfiguration,
  Legend,
  LinearScale,
  Tooltip,
} from 'chart.js';
import { ChartColumn } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { answered } from '../api/client.ts';
import { useKeys } from '../keys/use-keys.ts';
import { colorOf, Picture } from '../parts/chart.tsx';
import { SelectField } from '../parts/form.tsx';
import { seconds, usd } from '../parts/format.ts';
import { EmptyState, Loading } from '../parts/loaded.tsx';
import { FailureNote } from '../parts/notes.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Table } from '../parts/table.tsx';
import { useSession } from '../session/session.tsx';
import { useWorkspaces } from '../workspaces/use-workspaces.ts';
import { GROUPS, type Group, MEASURES, type Measure, type Series, seriesOf } from './series.ts';

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
    <Page title="Deployment usage">
      <div class="filters">
        <SelectField label="Group by" value={group} choices={GROUPS.map(same)} onChange={setGroup} />
        <SelectField label="Metric" value={measure} choices={MEASURES.map(same)} onChange={setMeasure} />
      </div>
      <FailureNote error={error} />
      {rows === undefined && error === null && <Loading what="usage" />}
      {rows?.length === 0 && (
        <EmptyState icon={ChartColumn} title="No usage in the last 30 days">
          <p>A job counts on the day on which it ends. Make a video in the playground.</p>
        </EmptyState>
      )}
      {rows !== undefined && rows.length > 0 && (
        <Section title={`Daily ${measure} by ${group}`}>
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

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Legend, Tooltip);

function BarChart({ series, measure }: { readonly series: Series; readonly measure: Measure }) {
  const configure = (color: string, grid: string): ChartConfiguration<'bar'> => ({
    type: 'bar',
    data: {
      labels: [...series.days],
      datasets: series.lines.map(({ name, values }, index) => ({
        label: name,
        data: [...values],
        maxBarThickness: 48,
        backgroundColor: colorOf(index),
      })),
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      scales: {
        x: { stacked: true, ticks: { color }, grid: { display: false } },
        y: {
          stacked: true,
          ticks: { color, callback: (value) => shown(Number(value), measure) },
          grid: { color: grid },
        },
      },
      plugins: { legend: { labels: { color } } },
    },
  });
  const label = `Daily ${measure}; the table below has the numbers`;
  return <Picture label={label} configure={configure} of={[series, measure]} />;
}

function shown(value: number, measure: Measure): string {
  if (measure === 'cost') return usd(value);
  return measure === 'seconds' ? seconds(value) : String(value);
}

function ActivityTable({ series, measure }: { readonly series: Series; readonly measure: Measure }) {
  const { days, lines } = series;
  return (
    <Table
      columns={['Day', ...lines.map(({ name }) => name)]}
      label="Usage by day"
      rows={days.map((day, place) => ({
        key: day,
        cells: [day, ...lines.map(({ values }) => shown(values[place] ?? 0, measure))],
      }))}
    />
  );
}
