import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Measure } from './measure.ts';

type Unlabelled = Omit<Measure, 'label'> & Partial<Pick<Measure, 'label'>>;

export const metricOf = (
  { namespace, name, dimensions, statistic, label }: Unlabelled,
  minutes = 5,
): Metric =>
  new Metric({
    namespace,
    metricName: name,
    dimensionsMap: { ...dimensions },
    statistic,
    ...(label === undefined ? {} : { label }),
    period: Duration.minutes(minutes),
  });
