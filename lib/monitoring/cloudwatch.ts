import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Measure } from './measure.ts';

export const metricOf = ({ namespace, name, dimensions, statistic, label }: Measure, minutes = 5): Metric =>
  new Metric({
    namespace,
    metricName: name,
    dimensionsMap: { ...dimensions },
    statistic,
    label,
    period: Duration.minutes(minutes),
  });
