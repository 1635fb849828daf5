import './main.css';
import { keepPreviousData, QueryClient, QueryClientProvider, useQuery } from '@tanstack/preact-query';
import {
  Chart,
  type ChartConfiguration,
  type ChartDataset,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from 'chart.js';
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { colorOf, Picture } from '../../../console/parts/chart.tsx';
import { SelectField } from '../../../console/parts/form.tsx';
import type { Span } from '../series.ts';
import type { PanelView, View } from '../view.ts';

const SPANS = [
  ['15', '15 minutes'],
  ['60', '1 hour'],
  ['180', '3 hours'],
] as const;
const PERIODS = [
  ['deployed', 'as deployed'],
  ['60', '1 minute'],
] as const;
const REFRESH_MILLISECONDS = 5_000;

function Dashboards() {
  const [minutes, setMinutes] = useState<(typeof SPANS)[number][0]>('60');
  const [period, setPeriod] = useState<(typeof PERIODS)[number][0]>('deployed');
  const { data: view, error } = useQuery({
    queryKey: [minutes, period],
    queryFn: ({ signal }) => fetchView(new URLSearchParams({ minutes, period }), signal),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MILLISECONDS,
    networkMode: 'always',
    retry: false,
  });
  return (
    <main>
      <header>
        <h1>Genway on this machine</h1>
        <SelectField label="The last" value={minutes} choices={SPANS} onChange={setMinutes} />
        <SelectField label="Period" value={period} choices={PERIODS} onChange={setPeriod} />
      </header>
      {error !== null && (
        <p class="failure" role="alert">
          {error.message}
        </p>
      )}
      {view?.dashboards.map(({ name, text, panels }) => (
        <section key={name} aria-labelledby={name}>
          <h2 id={name}>{name}</h2>
          <p>{text.replace(/^# .*\n/, '').replaceAll('`', '')}</p>
          <div class="panels">
            {panels.map((panel) => (
              <Panel key={panel.title} panel={panel} span={view} />
            ))}
          </div>
        </section>
      ))}
    </main>
  );
}

async function fetchView(query: URLSearchParams, signal: AbortSignal): Promise<View> {
  const answer = await fetch(`/view.json?${query}`, { signal });
  if (answer.ok) return answer.json();
  throw new Error(await answer.text());
}

interface PanelProps {
  readonly panel: PanelView;
  readonly span: Span;
}

/** One widget: its title, unit, lines and thresholds; and what it cannot show here. */
function Panel({ panel, span }: PanelProps) {
  const lines = panel.lines.filter(({ points }) => points.length > 0);
  return (
    <figure class="card" style={{ gridColumn: `span ${panel.width}` }}>
      <figcaption>
        {panel.title} <small>{panel.unit}</small>
      </figcaption>
      {lines.length > 0 && <Graph panel={{ ...panel, lines }} span={span} />}
      {lines.length === 0 && panel.lines.length > 0 && <p class="empty">Nothing was counted in this time</p>}
      <ul class="legend">
        {lines.map(({ label, points }, index) => (
          <li key={label}>
            <i style={{ backgroundColor: colorOf(index) }} />
            {label} <b>{(points.at(-1)?.[1] ?? 0).toLocaleString('en', { maximumSignificantDigits: 4 })}</b>
          </li>
        ))}
        {panel.thresholds.map(({ label }) => (
          <li key={label} class="threshold">
            {label}
          </li>
        ))}
      </ul>
      {panel.notes.map((note) => (
        <p key={note} class="quiet">
          {note}
        </p>
      ))}
    </figure>
  );
}

Chart.register(LineController, LineElement, PointElement, LinearScale, Tooltip);

const THRESHOLD_COLOR = '#d1242f';

/** A picture of what the legend below it names. */
function Graph({ panel: { title, lines, thresholds }, span }: PanelProps) {
  const line = ({ label, points }: PanelView['lines'][number], index: number): ChartDataset<'line'> => ({
    label,
    data: points.map(([x, y]) => ({ x, y })),
    borderColor: colorOf(index),
    backgroundColor: colorOf(index),
    borderWidth: 2,
    pointRadius: 3,
  });
  const threshold = ({ label, value }: PanelView['thresholds'][number]): ChartDataset<'line'> => ({
    label,
    data: [span.from, span.to].map((x) => ({ x, y: value })),
    borderColor: THRESHOLD_COLOR,
    borderDash: [6, 4],
    borderWidth: 1,
    pointRadius: 0,
  });
  const configure = (color: string, grid: string): ChartConfiguration<'line'> => ({
    type: 'line',
    data: { datasets: [...lines.map(line), ...thresholds.map(threshold)] },
    options: {
      animation: false,
      maintainAspectRatio: false,
      scales: {
        x: {
          type: 'linear',
          min: span.from,
          max: span.to,
          ticks: { color, maxTicksLimit: 5, maxRotation: 0, callback: (at) => clock(Number(at)) },
          grid: { display: false },
        },
        y: { beginAtZero: true, ticks: { color, maxTicksLimit: 6 }, grid: { color: grid } },
      },
      plugins: { tooltip: { callbacks: { title: ([item]) => clock(item?.parsed.x ?? 0) } } },
    },
  });
  const label = `${title}; the list below has the latest numbers`;
  return <Picture label={label} configure={configure} of={[span]} />;
}

const clock = (at: number): string =>
  new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });

const root = document.getElementById('dashboards');
if (root === null) throw new Error('The page has no place for the dashboards');
render(
  <QueryClientProvider client={new QueryClient()}>
    <Dashboards />
  </QueryClientProvider>,
  root,
);
