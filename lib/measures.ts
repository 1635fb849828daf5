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

/** Where a stage's own metrics are: several stages of one account do not count together. */
export const metricsNamespace = (stage: string): string => `Genway/${stage}`;

/** How many uploads a server has at once, on average over all servers. */
export const uploadsInProgress = (stage: string): IMetric =>
  new Metric({
    namespace: metricsNamespace(stage),
    metricName: 'UploadsInProgress',
    dimensionsMap: { service: 'upload-server' },
    statistic: Stats.AVERAGE,
    period: Duration.minutes(1),
  });

/** Jobs that cost more at their provider than was held for them. */
export const underpricedJobs = (stage: string, service: string): IMetric =>
  new Metric({
    namespace: metricsNamespace(stage),
    metricName: 'JobsUnderpriced',
    dimensionsMap: { service },
    statistic: Stats.SUM,
    period: FIVE_MINUTES,
  });

/** Jobs that could not be carried on. */
export const quarantinedJobs = (stage: string, service: string): IMetric =>
  new Metric({
    namespace: metricsNamespace(stage),
    metricName: 'JobsQuarantined',
    dimensionsMap: { service },
    statistic: Stats.SUM,
    period: FIVE_MINUTES,
  });

/** Rows that contradict each other, as the latest runs of the reconciler found them. */
export const contradictions = (stage: string, service: string): IMetric =>
  new Metric({
    namespace: metricsNamespace(stage),
    metricName: 'Contradictions',
    dimensionsMap: { service },
    statistic: Stats.MAXIMUM,
    // From one run to the next, so that the alarm is on for as long as there are any.
    period: Duration.hours(1),
  });

/** How often each outcome of something that a function counts came about. */
export const outcomes = (
  stage: string,
  metricName: string,
  service: string,
  names: readonly string[],
): IMetric[] =>
  names.map(
    (outcome) =>
      new Metric({
        namespace: metricsNamespace(stage),
        metricName,
        dimensionsMap: { service, outcome },
        statistic: Stats.SUM,
        period: FIVE_MINUTES,
        label: outcome,
      }),
  );
