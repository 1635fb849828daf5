/**
 * The metrics that a stage counts itself, and the values of the one dimension that some have. What draws them and
 * what counts them read this list, so that neither speaks of a metric that the other does not know.
 *
 * Few values each: every one is a metric that is paid for.
 */
export const ownMetrics = {
  /** Requests, by what became of them: a 2xx or 3xx, a 4xx, a 429, a 5xx. */
  Requests: { class: ['served', 'refused', 'limited', 'failed'] },
  /** The most uploads that one server had at once in the last minute, by which the servers are scaled. */
  UploadsInProgress: {},
  JobsSettled: { outcome: ['completed', 'failed', 'moderated', 'cancelled', 'expired'] },
  /** From the submit to the end, of jobs that completed; by the name of the provider. */
  SecondsToVideo: { provider: [] },
  /** Micro-dollars that completed jobs cost their callers; by the name of the provider. */
  ChargedMicros: { provider: [] },
  /** Jobs that cost more at their provider than was held for them. */
  JobsUnderpriced: {},
  /** Jobs and events that could not be carried on. */
  RowsQuarantined: {},
  /** Rows that contradict each other, as the hourly reconciler found them; also where there are none. */
  Contradictions: {},
  /** Rows that the version which is deployed cannot read. */
  RowsUnreadable: {},
  /** What a sweeper found overdue: jobs whose chain had stopped, events that wait for longer than a queue can delay. */
  RowsSwept: { of: ['jobs', 'events'] },
  /** Messages that a consumer could not deal with, and will get again. */
  MessagesFailed: {},
  /** Attempts to send the trace of a generation, by what follows, and traces that had nowhere to go. */
  Traces: { outcome: ['sent', 'retried', 'dropped', 'no_destination'] },
  /** Runs of the canary, which does what callers do; none before it has a key. */
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
 * The dimension `service` of every metric. By function each would be paid for fifty times; without any dimension
 * the format's lines would be no metrics.
 */
export const METRICS_SERVICE = 'genway';

/** As `Requests` counts it. */
export function classOf(status: number): (typeof ownMetrics.Requests.class)[number] {
  if (status >= 500) return 'failed';
  if (status === 429) return 'limited';
  return status >= 400 ? 'refused' : 'served';
}
