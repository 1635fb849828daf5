import { useEffect, useState } from 'preact/hooks';
import type { AlarmSummary } from '../alarm.ts';
import type { Span } from '../series.ts';
import type { DashboardView, PanelView, View } from '../view.ts';
import { colorOf, Graph } from './graph.tsx';

const SPANS = [
  ['15', '15 minutes'],
  ['60', '1 hour'],
  ['180', '3 hours'],
] as const;
const PERIODS = [
  ['deployed', 'as deployed'],
  ['60', '1 minute'],
] as const;

export function Dashboards() {
  const [minutes, setMinutes] = useState('60');
  const [period, setPeriod] = useState('deployed');
  const { view, failure } = useView({ minutes, period });
  return (
    <main>
      <header>
        <h1>Genway on this machine</h1>
        <Choice label="The last" value={minutes} choices={SPANS} onChange={setMinutes} />
        <Choice label="Period" value={period} choices={PERIODS} onChange={setPeriod} />
      </header>
      {failure !== undefined && <p role="alert">{failure}</p>}
      {view?.dashboards.map((dashboard) => (
        <Dashboard key={dashboard.name} dashboard={dashboard} view={view} />
      ))}
    </main>
  );
}

function Dashboard({
  dashboard: { name, text, alarms, panels },
  view,
}: {
  dashboard: DashboardView;
  view: View;
}) {
  return (
    <section aria-labelledby={name}>
      <h2 id={name}>{name}</h2>
      <p>{text.replace(/^# .*\n/, '').replaceAll('`', '')}</p>
      <Alarms {...alarms} />
      <div class="panels">
        {panels.map((panel) => (
          <Panel key={panel.title} panel={panel} span={view} />
        ))}
      </div>
    </section>
  );
}

function Alarms({ on, off, unknown }: AlarmSummary) {
  return (
    <ul class="alarms">
      {on.map((description) => (
        <li key={description} class="on">
          <strong>Alarm</strong> {description}
        </li>
      ))}
      <li>
        {off} alarms are off; {unknown} watch what only AWS measures
      </li>
    </ul>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, choices, onChange }: ChoiceProps) {
  return (
    <label>
      {label}{' '}
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {choices.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** One widget: its title, unit, lines and thresholds; and what it cannot show here. */
function Panel({ panel, span }: { readonly panel: PanelView; readonly span: Span }) {
  const { title, unit, width, thresholds, notes } = panel;
  const lines = panel.lines.filter(({ points }) => points.length > 0);
  return (
    <figure style={{ gridColumn: `span ${width}` }}>
      <figcaption>
        {title} <small>{unit}</small>
      </figcaption>
      {lines.length > 0 && <Graph title={title} lines={lines} thresholds={thresholds} span={span} />}
      {lines.length === 0 && panel.lines.length > 0 && <p class="empty">Nothing was counted in this time</p>}
      <ul class="legend">
        {lines.map(({ label, points }, index) => (
          <li key={label}>
            <i style={{ backgroundColor: colorOf(index) }} />
            {label} <b>{shown(points.at(-1)?.[1] ?? 0)}</b>
          </li>
        ))}
        {thresholds.map(({ label }) => (
          <li key={label} class="threshold">
            {label}
          </li>
        ))}
      </ul>
      {notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
    </figure>
  );
}

const shown = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 4 });

const REFRESH_MILLISECONDS = 5_000;

interface Asked {
  readonly minutes: string;
  readonly period: string;
}

interface Shown {
  readonly view?: View;
  /** Why there is no newer view. */
  readonly failure?: string;
}

/** The current view, fetched again and again. */
function useView({ minutes, period }: Asked): Shown {
  const [shown, setShown] = useState<Shown>({});
  useEffect(() => {
    const ended = new AbortController();
    const ask = async () => {
      try {
        const query = new URLSearchParams({ minutes, period });
        const answer = await fetch(`/view.json?${query}`, { signal: ended.signal });
        if (answer.ok) return setShown({ view: await answer.json() });
        const failure = await answer.text();
        setShown((before) => ({ ...before, failure }));
      } catch (error) {
        if (!ended.signal.aborted) setShown((before) => ({ ...before, failure: `No answer: ${error}` }));
      }
    };
    void ask();
    const timer = setInterval(() => void ask(), REFRESH_MILLISECONDS);
    return () => {
      clearInterval(timer);
      ended.abort();
    };
  }, [minutes, period]);
  return shown;
}
