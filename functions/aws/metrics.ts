import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';

/**
 * Metrics as lines of the log (CloudWatch's embedded metric format), which cost no call. The function's
 * name is the `service` dimension; the others have a handful of values each, because every combination
 * is a metric that is paid for. The namespace is the stage's, `POWERTOOLS_METRICS_NAMESPACE` of the deployment.
 */
const metrics = new Metrics();

export function countRequest(status: number, milliseconds: number): void {
  metrics.addDimension('status', `${Math.floor(status / 100)}xx`);
  metrics.addMetric('Requests', MetricUnit.Count, 1);
  metrics.addMetric('Latency', MetricUnit.Milliseconds, milliseconds);
  metrics.publishStoredMetrics();
}

export function countSettledJob(outcome: string): void {
  metrics.addDimension('outcome', outcome);
  metrics.addMetric('JobsSettled', MetricUnit.Count, 1);
  metrics.publishStoredMetrics();
}

export function countQuarantinedJob(): void {
  metrics.addMetric('JobsQuarantined', MetricUnit.Count, 1);
  metrics.publishStoredMetrics();
}

/** Counted also where there are none: a reconciler that does not run is seen by it. */
export function countContradictions(count: number): void {
  metrics.addMetric('Contradictions', MetricUnit.Count, count);
  metrics.publishStoredMetrics();
}

export function countUnderpricedJob(): void {
  metrics.addMetric('JobsUnderpriced', MetricUnit.Count, 1);
  metrics.publishStoredMetrics();
}

export function countUnreadableRow(): void {
  metrics.addMetric('RowsUnreadable', MetricUnit.Count, 1);
  metrics.publishStoredMetrics();
}

export function countWebhookAttempt(outcome: string): void {
  metrics.addDimension('outcome', outcome);
  metrics.addMetric('WebhookAttempts', MetricUnit.Count, 1);
  metrics.publishStoredMetrics();
}

/** The most uploads that one server had at once in the last minute, by which the servers are scaled. */
export function reportUploadsInProgress(count: number): void {
  metrics.addMetric('UploadsInProgress', MetricUnit.Count, count);
  metrics.publishStoredMetrics();
}
