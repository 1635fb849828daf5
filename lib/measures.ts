import { Duration } from 'aws-cdk-lib';
import type { SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { type IMetric, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';

const FIVE_MINUTES = Duration.minutes(5);

/** The share of requests that failed on our side, 0 to 1: API Gateway counts each request as a 0 or a 1. */
export const serverErrorShare = (api: SpecRestApi): IMetric =>
  api.metricServerError({ statistic: Stats.AVERAGE, period: FIVE_MINUTES });

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
