import { useQuery } from '@tanstack/preact-query';
import { ChartColumn, Download } from 'lucide-preact';
import { Link } from 'wouter-preact';
import { answered, present } from '../api/client.ts';
import type { ActivityRow } from '../api/types.ts';
import { useNames } from '../keys/use-keys.ts';
import { useFilters } from '../parts/address.ts';
import { SelectField } from '../parts/form.tsx';
import { percent, seconds, usd } from '../parts/format.ts';
import { EmptyState, Loaded } from '../parts/loaded.tsx';
import { Page, Section } from '../parts/page.tsx';
import { saveAs } from '../parts/save.ts';
import { Table } from '../parts/table.tsx';
import { Totals, When } from '../parts/values.tsx';
import { useSession, useWorkspaces } from '../session/session.tsx';
import { csvOf } from './csv.ts';
import {
  GROUPS,
  type Group,
  latestDays,
  MEASURES,
  type Measure,
  periodsOf,
  type Series,
  seriesOf,
  totalsOf,
} from './series.ts';
import { UsageChart } from './usage-chart.tsx';

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
  const [filters, change] = useFilters('group', 'metric', 'days', 'model', 'provider', 'workspace');
  const groups = of === 'workspace' ? GROUPS.filter((each) => each !== 'workspace') : GROUPS;
  const group = groups.find((each) => each === filters.group) ?? 'model';
  const measure = MEASURES.find((each) => each === filters.metric) ?? 'cost';
  const [days] = RANGES.find(([each]) => each === filters.days) ?? RANGES[0];
  const { workspaceId } = useSession();
  const usage = useUsage(of === 'workspace' ? workspaceId : filters.workspace, group);
  return (
    <Page title={of === 'workspace' ? 'Usage' : 'Deployment usage'}>
      <div class="filters">
        <SelectField
          label="Range (UTC)"
          value={days}
          choices={RANGES}
          onChange={(chosen) => change({ days: chosen })}
        />
        <SelectField
          label="Group by"
          value={group}
          choices={groups.map((each) => [each, GROUP_NAMES[each]] as const)}
          onChange={(chosen) => change({ group: chosen })}
        />
        <SelectField
          label="Metric"
          value={measure}
          choices={MEASURES.map((each) => [each, MEASURE_NAMES[each]] as const)}
          onChange={(chosen) => change({ metric: chosen })}
        />
        {of === 'deployment' && (
          <WorkspaceFilter chosen={filters.workspace} onChange={(workspace) => change({ workspace })} />
        )}
        {PARTS.map((part) => (
          <SelectField
            key={part}
            label={GROUP_NAMES[part]}
            value={filters[part] ?? ''}
            choices={[['', 'All'], ...namesIn(usage.data, part, filters[part])]}
            onChange={(chosen) => change({ [part]: chosen })}
          />
        ))}
      </div>
      <Loaded query={usage} what="usage" tall>
        {(all) => {
          const wanted = all.filter((row) =>
            PARTS.every((part) => (filters[part] ?? row[part]) === row[part]),
          );
          const [rows, former] = periodsOf(wanted, Number(days), new Date());
          if (rows.length === 0) return <NoUsage />;
          return <UsageOf rows={rows} former={former} days={Number(days)} group={group} measure={measure} />;
        }}
      </Loaded>
    </Page>
  );
}

const NoUsage = () => (
  <EmptyState icon={ChartColumn} title="No usage matches these filters">
    <p>Jobs are counted on the day they end.</p>
    <Link href="/playground" class="button">
      New video
    </Link>
  </EmptyState>
);

/** What each row has, however it is grouped. */
const PARTS = ['model', 'provider'] as const;

/** All that are in use, and the chosen one, which may have had no jobs lately. */
function namesIn(
  rows: readonly ActivityRow[] = [],
  part: (typeof PARTS)[number],
  chosen: string | undefined,
) {
  const names = new Set([...rows.map((row) => row[part]), ...(chosen === undefined ? [] : [chosen])]);
  return [...names].toSorted().map((name) => [name, name] as const);
}

interface WorkspaceFilterProps {
  readonly chosen: string | undefined;
  readonly onChange: (id: string) => void;
}

function WorkspaceFilter({ chosen = '', onChange }: WorkspaceFilterProps) {
  const { data: workspaces = [] } = useWorkspaces();
  return (
    <SelectField
      label={GROUP_NAMES.workspace}
      value={chosen}
      choices={[['', 'All'], ...workspaces.map(({ id, name }) => [id, name] as const)]}
      onChange={onChange}
    />
  );
}

/** Of one workspace, or of all. */
function useUsage(workspaceId: string | undefined, group: Group) {
  const { api } = useSession();
  return useQuery({
    queryKey: ['usage', workspaceId, group],
    queryFn: async () => {
      const query = { group_by: group, ...present({ workspace_id: workspaceId }) };
      return (await answered(api.GET('/activity', { params: { query } }))).data;
    },
  });
}

interface UsageOfProps {
  readonly rows: readonly ActivityRow[];
  /** Of as many days before; undefined where the API has none. */
  readonly former: readonly ActivityRow[] | undefined;
  readonly days: number;
  readonly group: Group;
  readonly measure: Measure;
}

function UsageOf({ rows, former, days, group, measure }: UsageOfProps) {
  const names = useNames();
  const series = seriesOf(rows, group, measure, names);
  // The table leaves out days without jobs; in the chart they are a part of the picture.
  const charted = seriesOf(rows, group, measure, names, latestDays(days, new Date()));
  const title = `Daily ${MEASURE_NAMES[measure].toLowerCase()} by ${GROUP_NAMES[group].toLowerCase()}`;
  const format = (value: number) => shown(value, measure);
  return (
    <>
      <UsageTotals rows={rows} former={former} days={days} />
      <Section title={title}>
        <UsageChart
          series={charted}
          label={`${title}; the table below has the numbers`}
          measure={MEASURE_NAMES[measure]}
          format={format}
        />
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

type AllTotals = ReturnType<typeof totalsOf>;

/** What stands at the top: its name, how it is written, how high its bar of a day is, and the highest there can be. */
const FACTS: readonly [string, (of: AllTotals) => string, (of: AllTotals) => number, most?: number][] = [
  ['Total cost', ({ cost }) => usd(cost), ({ cost }) => cost],
  ['Jobs', ({ jobs }) => String(jobs), ({ jobs }) => jobs],
  ['Completed', successRate, ({ completed, jobs }) => completed / Math.max(1, jobs), 1],
  ['Video', (of) => seconds(of.seconds), (of) => of.seconds],
];

function UsageTotals({ rows, former, days }: Pick<UsageOfProps, 'rows' | 'former' | 'days'>) {
  const daily = latestDays(days, new Date()).map((day) => totalsOf(rows.filter(({ date }) => date === day)));
  const facts = FACTS.map(([name, shownAs, heightOf, most]) => {
    const below = (
      <>
        {former !== undefined && <small class="quiet">Previous period: {shownAs(totalsOf(former))}</small>}
        {days > 1 && <Sparkline values={daily.map(heightOf)} most={most} />}
      </>
    );
    return [name, shownAs(totalsOf(rows)), below] as const;
  });
  return <Totals facts={facts} />;
}

function successRate({ completed, jobs }: AllTotals): string {
  return jobs === 0 ? '–' : percent(completed / jobs);
}

interface SparklineProps {
  readonly values: readonly number[];
  readonly most: number | undefined;
}

/** A bar a day, without numbers: these are in the table. */
function Sparkline({ values, most = Math.max(...values, Number.MIN_VALUE) }: SparklineProps) {
  return (
    <svg class="sparkline" viewBox={`0 0 ${values.length} 1`} preserveAspectRatio="none" aria-hidden="true">
      {values.map((value, day) => (
        <rect key={day} x={day + 0.15} y={1 - value / most} width={0.7} height={value / most} />
      ))}
    </svg>
  );
}

function shown(value: number, measure: Measure): string {
  if (measure === 'cost') return usd(value);
  return measure === 'seconds' ? seconds(value) : String(value);
}

interface UsageTableProps {
  readonly series: Series;
  readonly format: (value: number) => string;
}

const DAY = 'Day (UTC)';

/** The sum, then the latest day first, unlike the chart. */
function UsageTable({ series: { days, lines }, format }: UsageTableProps) {
  const places = days.map((_, place) => place).toReversed();
  const names = lines.map(({ name }) => name);
  const sums = lines.map(({ values }) => format(values.reduce((sum, value) => sum + value, 0)));
  return (
    <Table
      columns={[DAY, ...names]}
      amounts={names}
      label="Usage by day"
      rows={[
        { key: 'total', cells: ['Total', ...sums] },
        ...places.map((place) => ({
          key: days[place] ?? '',
          cells: [
            <When key="day" at={days[place] ?? ''} />,
            ...lines.map(({ values }) => format(values[place] ?? 0)),
          ],
        })),
      ]}
    />
  );
}

/** What the table shows, in plain numbers. */
function download({ days, lines }: Series): void {
  const rows = days.map((day, place) => [day, ...lines.map(({ values }) => values[place] ?? 0)]);
  const text = csvOf([[DAY, ...lines.map(({ name }) => name)], ...rows]);
  saveAs('usage.csv', new Blob([text], { type: 'text/csv' }));
}
