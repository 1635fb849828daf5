import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { classOf, METRICS_SERVICE, type OwnMetric, type ownMetrics } from '../own-metrics.ts';

/**
 * Metrics as lines of the log (CloudWatch's embedded metric format), which cost no call. The namespace is the
 * stage's, `POWERTOOLS_METRICS_NAMESPACE` of the deployment; `functions/own-metrics.ts` lists them.
 */
const metrics = new Metrics({ serviceName: METRICS_SERVICE });

type Dimension = Readonly<Record<string, string>>;

function publish(
  values: Readonly<Partial<Record<OwnMetric, number>>>,
  dimension: Dimension = {},
  unit: (typeof MetricUnit)[keyof typeof MetricUnit] = MetricUnit.Count,
): void {
  for (const [name, value] of Object.entries(dimension)) metrics.addDimension(name, value);
  for (const [name, value] of Object.entries(values)) metrics.addMetric(name, unit, value);
  metrics.publishStoredMetrics();
}

/** A request that has been answered. */
export interface RequestReport {
  readonly requestId: string;
  /** The method and the pattern of the path, never the path itself. */
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
  /** Who called, where the credential was accepted. */
  readonly caller?: { readonly keyHash: string; readonly workspaceId: string } | undefined;
}

/** One line: what CloudWatch counts, and the log of who asked for what. */
export function countRequest({ requestId, route, status, milliseconds, caller }: RequestReport): void {
  const fields = {
    level: 'INFO',
    message: 'request answered',
    request_id: requestId,
    route,
    status: String(status),
    milliseconds: String(Math.round(milliseconds)),
    ...(caller === undefined ? {} : { key_hash: caller.keyHash, workspace_id: caller.workspaceId }),
  };
  for (const [name, value] of Object.entries(fields)) metrics.addMetadata(name, value);
  publish({ Requests: 1 }, { class: classOf(status) });
}

export interface SettledJob {
  readonly outcome: string;
  readonly provider: string;
  /** It is its provider that has not made it. */
  readonly isProvidersFailure: boolean;
  readonly seconds: number;
  readonly costMicros: number;
}

export function countSettledJob({
  outcome,
  provider,
  isProvidersFailure,
  seconds,
  costMicros,
}: SettledJob): void {
  publish({ JobsSettled: 1 }, { outcome });
  if (isProvidersFailure) publish({ ProviderFailures: 1 }, { provider });
  if (outcome !== 'completed') return;
  publish({ ProviderFailures: 0 }, { provider });
  publish({ SecondsToVideo: seconds }, { provider }, MetricUnit.Seconds);
  publish({ ChargedMicros: costMicros }, { provider });
}

export const countRefusedKey = (provider: string): void => publish({ KeysRefused: 1 }, { provider });

export const countQuarantinedRow = (): void => publish({ RowsQuarantined: 1 });

/** Counted also when there are none, so that a dashboard shows that somebody has looked. */
export const countContradictions = (count: number): void => publish({ Contradictions: count });

export const countUnderpricedJob = (): void => publish({ JobsUnderpriced: 1 });

export const countUnreadableRow = (): void => publish({ RowsUnreadable: 1 });

export const countFailedMessage = (): void => publish({ MessagesFailed: 1 });

export const countSweptRow = (of: 'jobs' | 'events'): void => publish({ RowsSwept: 1 }, { of });

export const countWebhookAttempt = (outcome: string): void => publish({ WebhookAttempts: 1 }, { outcome });

export const countCanaryRun = (outcome: (typeof ownMetrics.CanaryRuns.outcome)[number]): void =>
  publish({ CanaryRuns: 1 }, { outcome });

export const countTrace = (outcome: (typeof ownMetrics.Traces.outcome)[number]): void =>
  publish({ Traces: 1 }, { outcome });

export const reportUploadsInProgress = (count: number): void => publish({ UploadsInProgress: count });
