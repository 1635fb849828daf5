import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Measure } from './measures.ts';

/** Without the label of a panel: for an alarm with a label CDK makes metric math, which the emulator does not support. */
export const metricOf = ({ namespace, name, dimensions, statistic }: Measure, minutes = 5): Metric =>
  new Metric({
    namespace,
    metricName: name,
    dimensionsMap: { ...dimensions },
    statistic,
    period: Duration.minutes(minutes),
  });
