import { useQuery } from '@tanstack/preact-query';
import { ChartColumn, Download } from 'lucide-preact';
import { Link } from 'wouter-preact';
import { answered } from '../api/client.ts';
import type { ActivityRow } from '../api/types.ts';
import { useKeys } from '../keys/use-keys.ts';
import { useFilters } from '../parts/address.ts';
import { SelectField } from '../parts/form.tsx';
import { percent, seconds, usd } from '../parts/format.ts';
import { EmptyState, Loaded } from '../parts/loaded.tsx';
import { Page, Section } from '../parts/page.tsx';
import { saveAs } from '../parts/save.ts';
import { Table } from '../parts/table.tsx';
import { useSession } from '../session/session.tsx';
import { useWorkspaces } from '../session/use-workspaces.ts';
import { csvOf } from './csv.ts';
import { GROUPS, type Group, MEASURES, type Measure, type Series, seriesOf, totalsOf } from './series.ts';
import { UsageChart } from './usage-chart.tsx';

/** By what the API divides the jobs of one workspace. */
const OF_WORKSPACE = ['workspace', 'key'] as const satisfies readonly Group[];
const nameOf = (group: Group, of: UsagePageProps['of']): string =>
  of === 'workspace' && group === 'workspace' ? 'None' : GROUP_NAMES[group];

const GROUP_NAMES = { model: 'Model', provider: 'Provider', key: 'Key', workspace: 'Workspace' } as const;
const MEASURE_NAMES = {
  cost: 'Cost',
  jobs: 'Jobs',
  completed: 'Completed jobs',
  seconds: 'Seconds of video',
} as const;
const RANGES = [
  ['30', 'Last 30 days'],
  ['7', 'Last 7 days'],
  ['1', 'Today'],
] as const;

interface UsagePageProps {
  /** Of the chosen workspace, or of all. */
  readonly of: 'workspace' | 'deployment';
}

/** Cost, jobs and seconds of up to thirty days. */
export default function UsagePage({ of }: UsagePageProps) {
  const [filters, change] = useFilters('group', 'metric', 'days');
  const groups = of === 'workspace' ? OF_WORKSPACE : GROUPS;
  const group = groups.find((each) => each === filters.group) ?? groups[0];
  const measure = MEASURES.find((each) => each === filters.metric) ?? 'cost';
  const [days] = RANGES.find(([each]) => each === filters.days) ?? RANGES[0];
  const usage = useUsage(of, group, Number(days));
  return (
    <Page title={of === 'workspace' ? 'Usage' : 'Deployment usage'}>
      <div class="filters">
        <SelectField
          label="Range"
          value={days}
          choices={RANGES}
          onChange={(chosen) => change({ days: chosen })}
        />
        <SelectField
          label="Group by"
          value={group}
          choices={groups.map((each) => [each, nameOf(each, of)] as const)}
          onChange={(chosen) => change({ group: chosen })}
        />
        <SelectField
          label="Metric"
          value={measure}
          choices={MEASURES.map((each) => [each, MEASURE_NAMES[each]] as const)}
          onChange={(chosen) => change({ metric: chosen })}
        />
      </div>
      <Loaded query={usage} what="usage" tall>
        {(rows) =>
          rows.length === 0 ? <NoUsage /> : <UsageOf rows={rows} group={group} measure={measure} />
        }
      </Loaded>
    </Page>
  );
}

const NoUsage = () => (
  <EmptyState icon={ChartColumn} title="No usage in this range">
    <p>A job counts on the day on which it ends.</p>
    <Link href="/playground" class="button">
      Create a video
    </Link>
  </EmptyState>
);

const DAY_MILLISECONDS = 86_400_000;

function useUsage(of: UsagePageProps['of'], group: Group, days: number) {
  const { api, workspaceId } = useSession();
  const { data: keys = [] } = useKeys(workspaceId);
  const own = new Set([workspaceId, ...keys.map(({ hash }) => hash)]);
  const first = new Date(Date.now() - (days - 1) * DAY_MILLISECONDS).toISOString().slice(0, 10);
  return useQuery({
    queryKey: ['usage', group],
    queryFn: async () => {
      const query = { group_by: group };
      return (await answered(api.GET('/activity', { params: { query } }))).data;
    },
    select: (rows) =>
      rows.filter(
        ({ date, workspace_id, key_hash }) =>
          date >= first && (of === 'deployment' || own.has(workspace_id ?? key_hash ?? '')),
      ),
  });
}

interface UsageOfProps {
  readonly rows: readonly ActivityRow[];
  readonly group: Group;
  readonly measure: Measure;
}

function UsageOf({ rows, group, measure }: UsageOfProps) {
  const series = seriesOf(rows, group, measure, useNames());
  const title = `Daily ${MEASURE_NAMES[measure].toLowerCase()} by ${GROUP_NAMES[group].toLowerCase()}`;
  const format = (value: number) => shown(value, measure);
  return (
    <>
      <Totals rows={rows} />
      <Section title={title}>
        <UsageChart series={series} label={`${title}; the table below has the numbers`} format={format} />
        <div class="actions">
          <button type="button" onClick={() => download(series)}>
            <Download />
            Export CSV
          </button>
        </div>
        <UsageTable series={series} format={format} />
      </Section>
    </>
  );
}

function Totals({ rows }: { readonly rows: readonly ActivityRow[] }) {
  const { cost, jobs, completed, seconds: length } = totalsOf(rows);
  const facts = [
    ['Total cost', usd(cost)],
    ['Jobs', String(jobs)],
    ['Success rate', jobs === 0 ? '–' : percent(completed / jobs)],
    ['Video', seconds(length)],
  ] as const;
  return (
    <dl class="totals">
      {facts.map(([name, value]) => (
        <div key={name} class="card">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
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

function shown(value: number, measure: Measure): string {
  if (measure === 'cost') return usd(value);
  return measure === 'seconds' ? seconds(value) : String(value);
}

interface UsageTableProps {
  readonly series: Series;
  readonly format: (value: number) => string;
}

/** The latest day first, unlike the chart. */
function UsageTable({ series: { days, lines }, format }: UsageTableProps) {
  const places = days.map((_, place) => place).toReversed();
  return (
    <Table
      columns={['Day', ...lines.map(({ name }) => name)]}
      label="Usage by day"
      rows={places.map((place) => ({
        key: days[place] ?? '',
        cells: [days[place], ...lines.map(({ values }) => format(values[place] ?? 0))],
      }))}
    />
  );
}

/** What the table shows, in plain numbers. */
function download({ days, lines }: Series): void {
  const rows = days.map((day, place) => [day, ...lines.map(({ values }) => values[place] ?? 0)]);
  const text = csvOf([['Day', ...lines.map(({ name }) => name)], ...rows]);
  saveAs('usage.csv', new Blob([text], { type: 'text/csv' }));
}
