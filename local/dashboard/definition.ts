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
export type Panel = ReturnType<typeof panelOf>;

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
