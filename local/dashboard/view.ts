import type { Definition, Panel } from './definition.ts';
import { countedBy, isCounted, type Samples, type Span } from './series.ts';

export interface Shown {
  readonly span: Span;
  /** Replaces the panels' own periods. */
  readonly periodSeconds: number | undefined;
}

/** Everything that the page draws. */
export type View = ReturnType<typeof viewOf>;
export type PanelView = ReturnType<typeof panelView>;

/** The dashboards, filled with what was counted. */
export function viewOf(definitions: readonly Definition[], samples: Samples, shown: Shown) {
  const dashboards = definitions.map(({ name, text, panels }) => ({
    name,
    text,
    panels: panels.map((panel) => panelView(panel, samples, shown)),
  }));
  return { ...shown.span, dashboards };
}

function panelView(panel: Panel, samples: Samples, { span, periodSeconds: asked }: Shown) {
  const counted = panel.lines.filter(isCounted);
  const others = panel.lines.filter((line) => !isCounted(line)).map(({ label }) => label);
  // An alarm's threshold on a sum is only right for the alarm's own period.
  const isComparable = counted.every(
    ({ statistic, periodSeconds }) => statistic !== 'Sum' || (asked ?? periodSeconds) === periodSeconds,
  );
  return {
    ...panel,
    thresholds: counted.length > 0 && isComparable ? panel.thresholds : [],
    lines: counted.map(({ label, ...line }) => ({
      label,
      points: samples.series({ ...line, periodSeconds: asked ?? line.periodSeconds }, span),
    })),
    /** What the reader needs to know to understand the numbers. */
    notes: [
      ...new Set(counted.flatMap((line) => countedBy(line) ?? [])),
      ...othersNote(others, counted.length),
    ],
  };
}

function othersNote(others: readonly string[], counted: number): string[] {
  if (others.length === 0) return [];
  return [counted === 0 ? 'Only AWS measures this' : `Only AWS measures: ${others.join(', ')}`];
}
