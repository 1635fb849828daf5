import * as v from 'valibot';
import { isCounted, type Samples } from './series.ts';

const comparisons = {
  GreaterThanThreshold: (value: number, threshold: number) => value > threshold,
  LessThanThreshold: (value: number, threshold: number) => value < threshold,
} as const;

/** An alarm on one metric, as CloudWatch describes it. */
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

/** Whether enough of the latest periods are beyond the threshold. The current, unfinished period counts too. */
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

/** Where CloudFormation has no composite alarms, the stack has their parts as alarms whose names begin with these words. */
const PART = 'A part of: ';

export interface AlarmSummary {
  /** The descriptions of the alarms that are on. */
  readonly on: readonly string[];
  readonly off: number;
  /** How many alarms watch a metric that only AWS measures. */
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
