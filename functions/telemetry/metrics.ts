import * as v from 'valibot';
import { systemClock } from '../clock.ts';
import { setting } from '../environment.ts';
import { log } from './logger.ts';
import { BUSIEST_ROUTES, classOf, METRICS_SERVICE, type OwnMetric, type ownMetrics } from './own-metrics.ts';

/** The stage's. A program that is not deployed has none, and counts nothing. */
const namespace = setting('metricsNamespace', v.optional(v.string(), ''));

type Fields = Readonly<Record<string, string>>;
type Values = Readonly<Partial<Record<OwnMetric, number>>>;
type Unit = 'Count' | 'Seconds';

/** What a line says of metrics that have the same dimensions. */
const directive = (values: Values, dimensions: readonly string[], unit: Unit) => ({
  Namespace: namespace,
  Dimensions: [['service', ...dimensions]],
  Metrics: Object.keys(values).map((Name) => ({ Name, Unit: unit })),
});

/**
 * Metrics as lines of the log (CloudWatch's embedded metric format), which cost no call; `functions/telemetry/own-metrics.ts`
 * lists them. Written by hand: a library takes four times as long for this one line of every request.
 */
function publish(values: Values, dimension: Fields = {}, unit: Unit = 'Count'): void {
  write([directive(values, Object.keys(dimension), unit)], {
    service: METRICS_SERVICE,
    ...dimension,
    ...values,
  });
}

function write(metrics: readonly ReturnType<typeof directive>[], fields: object): void {
  if (namespace === '') return;
  const line = { _aws: { Timestamp: systemClock().getTime(), CloudWatchMetrics: metrics }, ...fields };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

interface Caller {
  readonly keyHash: string;
  readonly workspaceId: string;
  /** Absent where the request had the key itself. */
  readonly session?: { readonly hash: string };
}

/** A request that has been answered. */
export interface RequestReport {
  readonly requestId: string;
  /** The method and the pattern of the path, never the path itself. */
  readonly route: string;
  readonly status: number;
  /** It ended with a 5xx for which neither a provider nor a full server is the reason. */
  readonly isOwnFailure: boolean;
  readonly milliseconds: number;
  /** From where, if that is known. */
  readonly address?: string | undefined;
  /** What the path or the query names, or what was made; undefined for a list. */
  readonly object?: string | undefined;
  /** Who called, where the credential was accepted. */
  readonly caller?: Caller | undefined;
}

/** One line: what CloudWatch counts, and the log of who asked for what. */
export function countRequest({
  requestId,
  route,
  status,
  isOwnFailure,
  milliseconds,
  address,
  object,
  caller,
}: RequestReport): void {
  const requests: Values = { Requests: 1 };
  const failures: Values | undefined = isBusy(route) ? { EndpointFailures: isOwnFailure ? 1 : 0 } : undefined;
  const ofEndpoint = failures === undefined ? [] : [directive(failures, ['route'], 'Count')];
  write([directive(requests, ['class'], 'Count'), ...ofEndpoint], {
    level: 'INFO',
    message: 'request answered',
    request_id: requestId,
    route,
    status: String(status),
    milliseconds: String(Math.round(milliseconds)),
    ...(address === undefined ? {} : { address }),
    ...(object === undefined ? {} : { object }),
    ...(caller && { key_hash: caller.keyHash, workspace_id: caller.workspaceId }),
    ...(caller?.session && { session_hash: caller.session.hash }),
    service: METRICS_SERVICE,
    class: classOf(status),
    ...requests,
    ...failures,
  });
}

const isBusy = (route: string): boolean => BUSIEST_ROUTES.some((busy) => busy === route);

export interface SettledJob {
  readonly outcome: string;
  readonly provider: string;
  /** It is its provider that has not made it. */
  readonly isProvidersFailure: boolean;
  readonly seconds: number;
  readonly costMicros: number;
  /** Whether its provider called when it had finished; undefined where it was not asked to. */
  readonly isTold: boolean | undefined;
}

export function countSettledJob({
  outcome,
  provider,
  isProvidersFailure,
  seconds,
  costMicros,
  isTold,
}: SettledJob): void {
  publish({ JobsSettled: 1 }, { outcome });
  if (isTold !== undefined) publish({ EndsNotTold: isTold ? 0 : 1 }, { provider });
  if (isProvidersFailure) publish({ ProviderFailures: 1 }, { provider });
  if (outcome !== 'completed') return;
  publish({ ProviderFailures: 0 }, { provider });
  publish({ SecondsToVideo: seconds }, { provider }, 'Seconds');
  publish({ ChargedMicros: costMicros }, { provider });
}

export const countRefusedKey = (provider: string): void => publish({ KeysRefused: 1 }, { provider });

export const countRefusedCallback = (provider: string): void =>
  publish({ CallbacksRefused: 1 }, { provider });

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

/** Tells of a row that cannot be read, by the log and a metric. */
export function tellUnreadable(id: unknown, fields: readonly string[]): void {
  log.error('row cannot be read', { row_id: id, fields });
  countUnreadableRow();
}
