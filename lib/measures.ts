import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';

const FIVE_MINUTES = Duration.minutes(5);

export const serverErrorShare = (api: RestApi): IMetric =>
  new MathExpression({
    expression: '100 * errors / MAX([requests, 1])',
    usingMetrics: {
      errors: api.metricServerError({ statistic: Stats.SUM, period: FIVE_MINUTES }),
      requests: api.metricCount({ statistic: Stats.SUM, period: FIVE_MINUTES }),
    },
    period: FIVE_MINUTES,
    label: '5xx, % of requests',
  });

/** Seconds; messages that wait by their own delay do not count. */
export const oldestMessage = (queue: IQueue): IMetric =>
  queue.metricApproximateAgeOfOldestMessage({ statistic: Stats.MAXIMUM, period: FIVE_MINUTES });

/** How often each outcome of something that a function counts came about. */
export const outcomes = (metricName: string, service: string, names: readonly string[]): IMetric[] =>
  names.map(
    (outcome) =>
      new Metric({
        namespace: 'Genway',
        metricName,
        dimensionsMap: { service, outcome },
        statistic: Stats.SUM,
        period: FIVE_MINUTES,
        label: outcome,
      }),
  );
