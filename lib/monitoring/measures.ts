import {
  METRICS_SERVICE,
  metricsNamespace,
  type OwnMetric,
  ownMetrics,
} from '../../functions/telemetry/own-metrics.ts';

/** A metric by its CloudWatch names, for one line of a panel or for an alarm. */
export interface Measure {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly statistic: 'Sum' | 'Average' | 'Maximum' | 'Minimum' | 'p50' | 'p95' | 'p99';
  readonly label: string;
}

export interface Panel {
  readonly title: string;
  /** The unit of its lines. */
  readonly unit: string;
  readonly lines: readonly Measure[];
}

export type PageName = 'callers' | 'machinery';

/** Dashboards belong to the account, in all its regions, so the name must contain the stage's. */
export const dashboardName = (title: string, page: PageName): string => `${title}-${page}`;

/** A dashboard as data, for CloudWatch and for other programs that can read its metrics. */
export interface Page {
  readonly name: PageName;
  /** A text for the reader about the questions that the page answers. */
  readonly text: string;
  readonly rows: readonly (readonly Panel[])[];
}

export interface WatchedQueue {
  readonly name: string;
  readonly deadLetters: string;
  /** For how long SQS hides a message from others once a worker has it. */
  readonly hiddenSeconds: number;
}

/** The names of a stage's parts in CloudWatch. */
export interface Plant {
  readonly stage: string;
  readonly api: string;
  /** By what they carry, such as `jobs`. */
  readonly queues: Readonly<Record<string, WatchedQueue>>;
  /** The functions behind queues and schedules, by the names of their bundles. */
  readonly consumers: Readonly<Record<string, string>>;
  readonly sweepers: Readonly<Record<string, string>>;
  /** The sweepers that run once an hour; the others run every minute. */
  readonly hourly: readonly string[];
  /** Whether the stage has a canary, which calls it as callers do. */
  readonly hasCanary: boolean;
  /** The function that receives small uploads. */
  readonly uploader: string;
  /** By what they hold, such as `jobs`. */
  readonly tables: Readonly<Record<string, string>>;
  readonly providers: readonly string[];
  /** The server for large uploads. */
  readonly uploadServer?: {
    readonly loadBalancer: string;
    readonly targetGroup: string;
    readonly cluster: string;
    readonly service: string;
  };
}

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
