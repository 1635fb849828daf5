import { useState } from 'preact/hooks';
import type { AlarmSummary } from '../alarm.ts';
import type { DashboardView, View } from '../view.ts';
import { Panel } from './panel.tsx';
import { useView } from './use-view.ts';

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
