import * as v from 'valibot';
import type { Line } from './series.ts';

const DEFAULT_PERIOD_SECONDS = 300;

/** `[namespace, name, dimension, value, …]`, then the settings in which the metric differs from its panel, if any. */
const metricSchema = v.array(
  v.union([
    v.string(),
    v.looseObject({
      stat: v.optional(v.string()),
      label: v.optional(v.string()),
      period: v.optional(v.number()),
    }),
  ]),
);

const widgetSchema = v.variant('type', [
  v.looseObject({ type: v.literal('text'), properties: v.object({ markdown: v.string() }) }),
  v.looseObject({ type: v.literal('alarm'), properties: v.looseObject({ alarms: v.array(v.string()) }) }),
  v.looseObject({
    type: v.literal('metric'),
    width: v.pipe(v.number(), v.integer()),
    properties: v.looseObject({
      title: v.string(),
      metrics: v.array(metricSchema),
      annotations: v.optional(
        v.object({ horizontal: v.array(v.looseObject({ label: v.string(), value: v.number() })) }),
      ),
      yAxis: v.looseObject({ left: v.looseObject({ label: v.string() }) }),
    }),
  }),
]);
type Widget = v.InferOutput<typeof widgetSchema>;

const bodySchema = v.pipe(v.string(), v.parseJson(), v.looseObject({ widgets: v.array(widgetSchema) }));

export interface DrawnLine extends Line {
  readonly label: string;
}

export interface DrawnPanel {
  readonly title: string;
  readonly unit: string;
  /** In columns; a dashboard has 24. */
  readonly width: number;
  readonly thresholds: readonly { readonly label: string; readonly value: number }[];
  readonly lines: readonly DrawnLine[];
}

/** A dashboard as CloudWatch gets it. */
export interface Definition {
  readonly name: string;
  readonly text: string;
  /** The ARNs of the alarms that the panel shows. */
  readonly alarms: readonly string[];
  readonly panels: readonly DrawnPanel[];
}

/** @param body the JSON that CloudWatch returns for a dashboard */
export function readDefinition(name: string, body: string): Definition {
  const { widgets } = v.parse(bodySchema, body);
  return {
    name,
    text: widgets
      .flatMap((widget) => (widget.type === 'text' ? [widget.properties.markdown] : []))
      .join('\n'),
    alarms: widgets.flatMap((widget) => (widget.type === 'alarm' ? widget.properties.alarms : [])),
    panels: widgets.flatMap((widget) => (widget.type === 'metric' ? [panelOf(widget)] : [])),
  };
}

function panelOf({ width, properties }: Extract<Widget, { type: 'metric' }>): DrawnPanel {
  return {
    title: properties.title,
    unit: properties.yAxis.left.label,
    width,
    thresholds: (properties.annotations?.horizontal ?? []).map(({ label, value }) => ({ label, value })),
    lines: properties.metrics.map(lineOf),
  };
}

function lineOf(metric: v.InferOutput<typeof metricSchema>): DrawnLine {
  const [namespace = '', name = '', ...names] = metric.filter((part) => typeof part === 'string');
  const [options = {}] = metric.filter((part) => typeof part !== 'string');
  const pairs = names.flatMap((part, index) => (index % 2 === 0 ? [[part, names[index + 1] ?? '']] : []));
  return {
    namespace,
    name,
    dimensions: Object.fromEntries(pairs),
    statistic: options.stat ?? 'Average',
    periodSeconds: options.period ?? DEFAULT_PERIOD_SECONDS,
    label: options.label ?? name,
  };
}
