import * as v from 'valibot';
import type { Samples } from './series.ts';
import { isCounted } from './sources.ts';

const comparisons = {
  GreaterThanThreshold: (value: number, threshold: number) => value > threshold,
  LessThanThreshold: (value: number, threshold: number) => value < threshold,
} as const;

/** As CloudWatch describes an alarm on one metric. */
const alarmSchema = v.pipe(
  v.object({
    AlarmArn: v.string(),
    AlarmDescription: v.string(),
    Namespace: v.string(),
    MetricName: v.string(),
    Dimensions: v.optional(v.array(v.object({ Name: v.string(), Value: v.string() })), []),
    Statistic: v.nullish(v.string()),
    ExtendedStatistic: v.nullish(v.string()),
    Period: v.number(),
    EvaluationPeriods: v.number(),
    DatapointsToAlarm: v.nullish(v.number()),
    Threshold: v.number(),
    ComparisonOperator: v.picklist(['GreaterThanThreshold', 'LessThanThreshold']),
    TreatMissingData: v.optional(v.picklist(['breaching', 'notBreaching']), 'notBreaching'),
  }),
  v.transform((alarm) => ({
    arn: alarm.AlarmArn,
    description: alarm.AlarmDescription,
    line: {
      namespace: alarm.Namespace,
      name: alarm.MetricName,
      dimensions: Object.fromEntries(alarm.Dimensions.map(({ Name, Value }) => [Name, Value])),
      statistic: alarm.ExtendedStatistic ?? alarm.Statistic ?? 'Average',
      periodSeconds: alarm.Period,
    },
    periods: alarm.EvaluationPeriods,
    atLeast: alarm.DatapointsToAlarm ?? alarm.EvaluationPeriods,
    isBreached: (value: number) => comparisons[alarm.ComparisonOperator](value, alarm.Threshold),
    isMissingBreach: alarm.TreatMissingData === 'breaching',
  })),
);
export type WatchedAlarm = v.InferOutput<typeof alarmSchema>;

export const readAlarm = (alarm: unknown): WatchedAlarm => v.parse(alarmSchema, alarm);

/** Whether so many of its latest periods are beyond its threshold; the one that is not over yet counts. */
function isOn(
  { line, periods, atLeast, isBreached, isMissingBreach }: WatchedAlarm,
  samples: Samples,
  now: number,
) {
  const period = line.periodSeconds * 1000;
  const latest = Math.floor(now / period) * period;
  const points = new Map(samples.series(line, { from: latest - (periods - 1) * period, to: now + 1 }));
  const begun = samples.since ?? Number.NEGATIVE_INFINITY;
  const breached = Array.from({ length: periods }, (_, index) => latest - index * period).filter((at) => {
    const value = points.get(at);
    // What was not counted before the run began was not missing.
    return value === undefined ? isMissingBreach && at >= begun : isBreached(value);
  });
  return breached.length >= atLeast;
}

/** How CloudFormation without alarms that are made of alarms has the parts of one: under the same words. */
const PART = 'A part of: ';

export interface AlarmSummary {
  /** What those that are on say. */
  readonly on: readonly string[];
  readonly off: number;
  /** How many watch what only AWS counts. */
  readonly unknown: number;
}

export function summaryOf(alarms: readonly WatchedAlarm[], samples: Samples, now: number): AlarmSummary {
  const wholes = Map.groupBy(alarms, ({ arn, description }) =>
    description.startsWith(PART) ? description : arn,
  );
  const known = [...wholes.values()].filter((parts) => parts.every(({ line }) => isCounted(line)));
  const on = known.filter((parts) => parts.every((part) => isOn(part, samples, now)));
  return {
    on: on.map(([first]) => first?.description.replace(PART, '') ?? ''),
    off: known.length - on.length,
    unknown: wholes.size - known.length,
  };
}
