/** The endpoints that get most of the calls, and that callers need most. Their new code is deployed gradually. */
export const BUSIEST_ROUTES = [
  'POST /videos',
  'GET /videos/{video}',
  'POST /files',
  'GET /files/{file}/content',
] as const;

/**
 * The metrics that a stage counts itself, and the values of the one dimension that some have. What counts them and what
 * draws them both read this list, so that no metric is known to one side only. Each value costs money as a metric of
 * its own, so there are few.
 */
export const ownMetrics = {
  /** Requests by outcome: a 2xx or 3xx, a 4xx, a 429, a 5xx. */
  Requests: { class: ['served', 'refused', 'limited', 'failed'] },
  /**
   * 1 for each request that failed by our own fault and 0 for each other: their average is the share. Lambda counts a
   * handled error as a success, and among all requests of a stage the failures of one endpoint are few. What a provider
   * or a full server has refused does not count, because no older code would have done better.
   */
  EndpointFailures: { route: BUSIEST_ROUTES },
  /** The most uploads that one server had at once in the last minute, by which the servers are scaled. */
  UploadsInProgress: {},
  JobsSettled: { outcome: ['completed', 'failed', 'moderated', 'cancelled', 'expired'] },
  /** From the submit to the end of jobs that completed, by the name of the provider. */
  SecondsToVideo: { provider: [] },
  /** What completed jobs cost their callers, in micro-dollars, by the name of the provider. */
  ChargedMicros: { provider: [] },
  /**
   * By the name of the provider, 1 for each job that it failed or was too slow for, and 0 for each that it made: their
   * average is the share. A job that it refused is neither.
   */
  ProviderFailures: { provider: [] },
  /** Calls that a provider refused because of the stage's own key. A workspace's own key does not count. */
  KeysRefused: { provider: [] },
  /**
   * By the name of the provider, 1 for each end of which it was to tell by a callback and did not, and 0 for each of which
   * it did: their average is the share.
   */
  EndsNotTold: { provider: [] },
  /** Callbacks with a true address that their provider has not signed. */
  CallbacksRefused: { provider: [] },
  /** Jobs that cost more at their provider than was held for them. */
  JobsUnderpriced: {},
  /** Jobs and events that could not go on. */
  RowsQuarantined: {},
  /** Rows that contradict each other, found by the hourly reconciler; counted also when there are none. */
  Contradictions: {},
  /** Rows that the deployed version cannot read. */
  RowsUnreadable: {},
  /** What a sweeper found overdue: jobs whose chain had stopped, and events that wait longer than a queue can delay. */
  RowsSwept: { of: ['jobs', 'events'] },
  /** Messages that a consumer failed on and will get again. */
  MessagesFailed: {},
  /** Attempts to send the trace of a generation, by outcome, and traces that had nowhere to go or were not chosen. */
  Traces: { outcome: ['sent', 'retried', 'dropped', 'no_destination', 'left_out'] },
  /** Runs of the canary, which does what callers do; none until it has a key. */
  CanaryRuns: { outcome: ['passed', 'failed'] },
  WebhookAttempts: {
    outcome: [
      '2xx',
      '3xx',
      '4xx',
      '5xx',
      'timed_out',
      'connection_failed',
      'tls_failed',
      'address_refused',
      'circuit_open',
    ],
  },
} as const satisfies Record<string, Readonly<Record<string, readonly string[]>>>;

export type OwnMetric = keyof typeof ownMetrics;

/**
 * The dimension `service` of every metric. A dimension by function would be paid for fifty times; without any dimension
 * the lines would not be metrics.
 */
export const METRICS_SERVICE = 'genway';

/** The CloudWatch namespace of a stage's metrics, so that stages in one account are counted separately. */
export const metricsNamespace = (stage: string): string => `Genway/${stage}`;

/** The class by which `Requests` counts a status. */
export function classOf(status: number): (typeof ownMetrics.Requests.class)[number] {
  if (status >= 500) return 'failed';
  if (status === 429) return 'limited';
  return status >= 400 ? 'refused' : 'served';
}
