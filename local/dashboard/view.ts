import * as v from 'valibot';
import { countedBy, isCounted, type Line, type Samples, type Span } from './series.ts';

/** CloudWatch's default, which `lib/monitoring/` leaves to all panels. */
export const DEPLOYED_PERIOD_SECONDS = 300;

/** `[namespace, name, dimension, value, …]`, then the statistic and the label. A period of its own would be drawn wrong. */
const metricSchema = v.array(
  v.union([v.string(), v.strictObject({ stat: v.optional(v.string(), 'Average'), label: v.string() })]),
);
const panelSchema = v.object({
  type: v.literal('metric'),
  // In columns; a dashboard has 24.
  width: v.pipe(v.number(), v.integer()),
  properties: v.object({
    title: v.string(),
    metrics: v.array(metricSchema),
    annotations: v.optional(
      v.object({ horizontal: v.array(v.object({ label: v.string(), value: v.number() })) }),
      { horizontal: [] },
    ),
    yAxis: v.object({ left: v.object({ label: v.string() }) }),
  }),
});
const textSchema = v.object({ type: v.literal('text'), properties: v.object({ markdown: v.string() }) });
/** Lists alarms, whose states only CloudWatch knows. */
const alarmsSchema = v.object({ type: v.literal('alarm') });
const bodySchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ widgets: v.array(v.variant('type', [textSchema, panelSchema, alarmsSchema])) }),
);

/** A dashboard as CloudWatch gets it. */
export type Definition = ReturnType<typeof readDefinition>;

/** @param body the JSON that CloudWatch returns for a dashboard */
export function readDefinition(name: string, body: string) {
  const { widgets } = v.parse(bodySchema, body);
  const texts = widgets.flatMap((widget) => (widget.type === 'text' ? [widget.properties.markdown] : []));
  const panels = widgets.flatMap((widget) => (widget.type === 'metric' ? [panelOf(widget)] : []));
  return { name, text: texts.join('\n'), panels };
}

function panelOf({ width, properties }: v.InferOutput<typeof panelSchema>) {
  const { title, metrics, annotations, yAxis } = properties;
  const thresholds = annotations.horizontal;
  return { title, unit: yAxis.left.label, width, thresholds, lines: metrics.map(lineOf) };
}

function lineOf(metric: v.InferOutput<typeof metricSchema>): Line & { readonly label: string } {
  const [namespace = '', name = '', ...names] = metric.filter((part) => typeof part === 'string');
  const [{ stat, label } = { stat: 'Average', label: name }] = metric.filter(
    (part) => typeof part !== 'string',
  );
  const pairs = names.flatMap((part, index) => (index % 2 === 0 ? [[part, names[index + 1] ?? '']] : []));
  return { namespace, name, dimensions: Object.fromEntries(pairs), statistic: stat, label };
}

export interface Shown {
  readonly span: Span;
  readonly periodSeconds: number;
}

/** Everything that the page draws. */
export type View = ReturnType<typeof viewOf>;
export type PanelView = View['dashboards'][number]['panels'][number];

/** The dashboards, filled with what was counted. */
export function viewOf(definitions: readonly Definition[], samples: Samples, shown: Shown) {
  const dashboards = definitions.map((definition) => ({
    ...definition,
    panels: definition.panels.map((panel) => panelView(panel, samples, shown)),
  }));
  return { ...shown.span, dashboards };
}

function panelView(panel: ReturnType<typeof panelOf>, samples: Samples, { span, periodSeconds }: Shown) {
  const counted = panel.lines.filter(isCounted);
  const others = panel.lines.filter((line) => !isCounted(line)).map(({ label }) => label);
  // An alarm's threshold on a sum is only right for the alarm's own period.
  const isComparable =
    periodSeconds === DEPLOYED_PERIOD_SECONDS || counted.every(({ statistic }) => statistic !== 'Sum');
  return {
    ...panel,
    thresholds: counted.length > 0 && isComparable ? panel.thresholds : [],
    lines: counted.map((line) => ({ label: line.label, points: samples.series(line, span, periodSeconds) })),
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
