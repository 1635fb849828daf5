import type { Span } from '../series.ts';
import type { PanelView } from '../view.ts';
import { colorOf, Graph } from './graph.tsx';

/** One widget: its title, unit, lines and thresholds; and what it cannot show here. */
export function Panel({ panel, span }: { readonly panel: PanelView; readonly span: Span }) {
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
