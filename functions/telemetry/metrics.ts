import * as v from 'valibot';
import { systemClock } from '../clock.ts';
import { setting } from '../environment.ts';
import { classOf, METRICS_SERVICE, type OwnMetric, type ownMetrics } from './own-metrics.ts';

/** The stage's. A program that is not deployed has none, and counts nothing. */
const namespace = setting('metricsNamespace', v.optional(v.string(), ''));

type Fields = Readonly<Record<string, string>>;

/**
 * Metrics as lines of the log (CloudWatch's embedded metric format), which cost no call; `functions/telemetry/own-metrics.ts`
 * lists them. Written by hand: a library takes four times as long for this one line of every request.
 * @param fields what the line says beside its metrics
 */
function publish(
  values: Readonly<Partial<Record<OwnMetric, number>>>,
  dimension: Fields = {},
  unit: 'Count' | 'Seconds' = 'Count',
  fields: Fields = {},
): void {
  if (namespace === '') return;
  const metrics = {
    Namespace: namespace,
    Dimensions: [['service', ...Object.keys(dimension)]],
    Metrics: Object.keys(values).map((Name) => ({ Name, Unit: unit })),
  };
  const line = {
    _aws: { Timestamp: systemClock().getTime(), CloudWatchMetrics: [metrics] },
    ...fields,
    service: METRICS_SERVICE,
    ...dimension,
    ...values,
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
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
  publish({ Requests: 1 }, { class: classOf(status) }, 'Count', fields);
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
  publish({ SecondsToVideo: seconds }, { provider }, 'Seconds');
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
