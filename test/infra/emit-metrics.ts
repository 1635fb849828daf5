/** A program that emits each metric once for every possible value, like the functions do. */
import * as metrics from '../../functions/telemetry/metrics.ts';
import { ownMetrics } from '../../functions/telemetry/own-metrics.ts';
import { JOB_STATUSES } from '../../functions/videos/jobs/job.ts';
import { outcomeOf } from '../../functions/webhooks/delivery/judge-answer.ts';

const request = { requestId: 'r', isOwnFailure: false, milliseconds: 1 };
for (const status of [200, 302, 400, 429, 500]) {
  metrics.countRequest({ ...request, route: 'GET /files', status });
}
for (const route of ownMetrics.EndpointFailures.route) {
  metrics.countRequest({ ...request, route, status: 200 });
}
const ends = JOB_STATUSES.filter((status) => status !== 'pending' && status !== 'in_progress');
for (const outcome of [...ends, 'moderated']) {
  const isProvidersFailure = outcome === 'failed' || outcome === 'expired';
  metrics.countSettledJob({
    ...{ outcome, provider: 'sandbox', isProvidersFailure },
    ...{ seconds: 30, costMicros: 1, isTold: true },
  });
}
const failures = ['timed_out', 'connection_failed', 'tls_failed', 'address_refused'] as const;
for (const status of [200, 300, 400, 500]) metrics.countWebhookAttempt(outcomeOf({ status, aborts: false }));
for (const failure of failures) metrics.countWebhookAttempt(outcomeOf({ failure }));
metrics.countWebhookAttempt('circuit_open');
for (const outcome of ownMetrics.Traces.outcome) metrics.countTrace(outcome);
for (const outcome of ownMetrics.CanaryRuns.outcome) metrics.countCanaryRun(outcome);
metrics.countQuarantinedRow();
metrics.countUnderpricedJob();
metrics.countRefusedKey('sandbox');
metrics.countRefusedCallback('sandbox');
metrics.countContradictions(1);
metrics.countUnreadableRow();
metrics.countFailedMessage();
metrics.countSweptRow('jobs');
metrics.countSweptRow('events');
metrics.reportUploadsInProgress(1);
