import { type AlarmSummary, summaryOf, type WatchedAlarm } from './alarm.ts';
import type { Definition, DrawnPanel } from './definition.ts';
import { countedBy, isCounted, type Point, type Samples, type Span } from './series.ts';

/** Everything that the page draws. */
export interface View extends Span {
  readonly dashboards: readonly DashboardView[];
}

export interface DashboardView {
  readonly name: string;
  readonly text: string;
  readonly alarms: AlarmSummary;
  readonly panels: readonly PanelView[];
}

export interface PanelView {
  readonly title: string;
  readonly unit: string;
  readonly width: number;
  readonly thresholds: DrawnPanel['thresholds'];
  /** The metrics that are counted here. */
  readonly lines: readonly { readonly label: string; readonly points: readonly Point[] }[];
  /** Hints that the reader needs to understand the numbers. */
  readonly notes: readonly string[];
}

export interface Shown {
  readonly span: Span;
  /** Replaces the panels' own periods. */
  readonly periodSeconds: number | undefined;
}

/** The dashboards, filled with what was counted. */
export function viewOf(
  definitions: readonly Definition[],
  alarms: readonly WatchedAlarm[],
  samples: Samples,
  shown: Shown,
): View {
  return {
    ...shown.span,
    dashboards: definitions.map(({ name, text, alarms: arns, panels }) => ({
      name,
      text,
      alarms: summaryOf(
        alarms.filter(({ arn }) => arns.includes(arn)),
        samples,
        shown.span.to,
      ),
      panels: panels.map((panel) => panelView(panel, samples, shown)),
    })),
  };
}

function panelView(panel: DrawnPanel, samples: Samples, { span, periodSeconds }: Shown): PanelView {
  const counted = panel.lines.filter(isCounted);
  const others = panel.lines.filter((line) => !isCounted(line)).map(({ label }) => label);
  const isAsDeployed = counted.every(
    (line) => periodSeconds === undefined || line.periodSeconds === periodSeconds,
  );
  const isOfAny = counted.every(({ statistic }) => statistic !== 'Sum');
  return {
    title: panel.title,
    unit: panel.unit,
    width: panel.width,
    // An alarm's threshold on a sum is only right for the alarm's own period.
    thresholds: counted.length > 0 && (isAsDeployed || isOfAny) ? panel.thresholds : [],
    lines: counted.map((line) => ({
      label: line.label,
      points: samples.series({ ...line, periodSeconds: periodSeconds ?? line.periodSeconds }, span),
    })),
    notes: [
      ...new Set(counted.flatMap((line) => countedBy(line) ?? [])),
      ...othersNote(others, counted.length === 0),
    ],
  };
}

function othersNote(others: readonly string[], isAll: boolean): string[] {
  if (others.length === 0) return [];
  return [isAll ? 'Only AWS measures this' : `Only AWS measures: ${others.join(', ')}`];
}
