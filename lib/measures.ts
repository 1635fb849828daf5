import { METRICS_SERVICE, metricsNamespace, type OwnMetric, ownMetrics } from '../functions/own-metrics.ts';
import type { Measure, Plant } from './monitoring/measure.ts';

type Options = { readonly statistic?: Measure['statistic']; readonly label?: string };

/** One of our metrics, without a dimension. */
export const own = (
  stage: string,
  name: OwnMetric,
  { statistic = 'Sum', label = name }: Options = {},
): Measure => ({
  namespace: metricsNamespace(stage),
  name,
  dimensions: { service: METRICS_SERVICE },
  statistic,
  label,
});

/** One of our metrics, with a line for each value of its dimension. @param values if the list names none */
export function ownBy(
  stage: string,
  name: OwnMetric,
  { statistic = 'Sum', values }: Options & { readonly values?: readonly string[] } = {},
): Measure[] {
  return Object.entries<readonly string[]>(ownMetrics[name]).flatMap(([dimension, known]) =>
    (values ?? known).map((value) => ({
      ...own(stage, name, { statistic, label: value }),
      dimensions: { service: METRICS_SERVICE, [dimension]: value },
    })),
  );
}

type AwsMetric = (part: string, statistic: Measure['statistic'], label?: string) => Measure;

const awsMetric =
  (namespace: string, dimension: string) =>
  (name: string): AwsMetric =>
  (part, statistic, label = name) => ({
    namespace,
    name,
    dimensions: { [dimension]: part },
    statistic,
    label,
  });

export const ofApi = awsMetric('AWS/ApiGateway', 'ApiName');
export const ofQueue = awsMetric('AWS/SQS', 'QueueName');
export const ofFunction = awsMetric('AWS/Lambda', 'FunctionName');
export const ofTable = awsMetric('AWS/DynamoDB', 'TableName');
export const ofLoadBalancer = awsMetric('AWS/ApplicationELB', 'LoadBalancer');

type UploadServer = NonNullable<Plant['uploadServer']>;

export const ofTargets = (
  { loadBalancer, targetGroup }: UploadServer,
  name: string,
  statistic: Measure['statistic'],
): Measure => ({
  namespace: 'AWS/ApplicationELB',
  name,
  dimensions: { LoadBalancer: loadBalancer, TargetGroup: targetGroup },
  statistic,
  label: name,
});

export const ofService = ({ cluster, service }: UploadServer, name: string): Measure => ({
  namespace: 'AWS/ECS',
  name,
  dimensions: { ClusterName: cluster, ServiceName: service },
  statistic: 'Average',
  label: name,
});

/** The share of requests that failed on our side, 0 to 1: API Gateway counts each request as a 0 or a 1. */
export const failedShare = (api: string): Measure => ofApi('5XXError')(api, 'Average', 'failed');

/** In seconds. Messages that are still delayed do not count. */
export const oldestMessage = (queue: string, label?: string): Measure =>
  ofQueue('ApproximateAgeOfOldestMessage')(queue, 'Maximum', label);
