import { useQuery } from '@tanstack/preact-query';
import { BarController, BarElement, CategoryScale, Chart, Legend, LinearScale, Tooltip } from 'chart.js';
import { useEffect, useRef, useState } from 'preact/hooks';
import { answered } from '../api/client.ts';
import { useKeys } from '../keys/use-keys.ts';
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

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Legend, Tooltip);

/** Told apart on light and dark alike, also by those who see few colours (Okabe and Ito). */
const COLORS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#8f8f8f'];

/** A picture of the table below it, so that nothing is lost to whoever cannot see it. */
export function BarChart({ series, measure }: { readonly series: Series; readonly measure: Measure }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current === null) return;
    const style = getComputedStyle(canvas.current);
    const color = style.getPropertyValue('color');
    const grid = style.getPropertyValue('border-top-color');
    const chart = new Chart(canvas.current, {
      type: 'bar',
      data: {
        labels: [...series.days],
        datasets: series.lines.map(({ name, values }, index) => ({
          label: name,
          data: [...values],
          maxBarThickness: 48,
          backgroundColor: COLORS[index % COLORS.length] ?? color,
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
    return () => chart.destroy();
  }, [series, measure]);
  return (
    <div class="chart">
      <canvas ref={canvas} role="img" aria-label={`${measure} a day; the table below has the numbers`} />
    </div>
  );
}

export function shown(value: number, measure: Measure): string {
  if (measure === 'cost') return usd(value);
  return measure === 'seconds' ? seconds(value) : String(value);
}

export function ActivityTable({ series, measure }: { readonly series: Series; readonly measure: Measure }) {
  const { days, lines } = series;
  return (
    <Table columns={['Day', ...lines.map(({ name }) => name)]} label="Activity by day">
      {days.map((day, place) => (
        <tr key={day}>
          <th scope="row">{day}</th>
          {lines.map(({ name, values }) => (
            <td key={name}>{shown(values[place] ?? 0, measure)}</td>
          ))}
        </tr>
      ))}
    </Table>
  );
}
