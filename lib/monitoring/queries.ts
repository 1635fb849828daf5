import type { StageConfig } from '../stage/config.ts';
import type { RunbookPage } from './alarm-rule.ts';

/** A page that no alarm leads to. */
const STOLEN_KEY = 'A key was stolen';

/** The log queries of the runbook, with the page of each. CloudWatch Logs Insights saves each under its name. */
export const queries: Readonly<
  Record<string, { readonly page: RunbookPage | typeof STOLEN_KEY; readonly text: string }>
> = {
  'failed-requests': {
    page: 'Requests fail with server errors',
    text: 'filter message = "request failed" | stats count(*) as failures by service, route, error.name | sort failures desc',
  },
  'failed-answers': {
    page: 'Requests fail with server errors',
    text: 'filter message = "request answered" and status >= 500 | stats count(*) as failures by route, status, bin(5m) | sort failures desc',
  },
  'failed-by-gateway': {
    page: 'Requests fail with server errors',
    text: 'filter ispresent(gateway_error) and gateway_error != "-" and status >= 500 | stats count(*) as failures by route, gateway_error, status | sort failures desc',
  },
  'canary-failures': {
    page: 'The canary fails',
    text: 'filter message = "canary failed" | fields @timestamp, error.message | sort @timestamp desc',
  },
  crashes: {
    page: 'A message has failed five times',
    text: 'filter @message like /Task timed out|Runtime exited|OutOfMemory/ | stats count(*) as crashes by @log | sort crashes desc',
  },
  'failed-messages': {
    page: 'A worker or a sweeper fails',
    text: 'filter message in ["message failed", "row of a stream failed", "row not swept", "workspace not purged yet", "day not copied"] | stats count(*) as failures by service, error.name, error.message | sort failures desc',
  },
  'slow-providers': {
    page: 'A queue is falling behind',
    text: 'filter message = "poll failed" | stats count(*) as failures by provider | sort failures desc',
  },
  'slow-copies': {
    page: 'A queue is falling behind',
    text: 'filter service = "copy-videos" and message in ["copy failed", "long copy put off"] | stats count(*) as times by provider, message, reason | sort times desc',
  },
  'slow-receivers': {
    page: 'A queue is falling behind',
    text: 'filter message in ["webhook attempted", "trace attempted"] | stats avg(milliseconds) as average, count(*) as attempts by host | sort average desc',
  },
  'reports-of-workers': {
    page: 'A worker is throttled',
    text: 'filter type = "REPORT" or @type = "REPORT" | stats count(*) as runs, max(@duration) as longest by @log | sort runs desc',
  },
  'reports-of-sweepers': {
    page: 'A sweeper does not run',
    text: 'filter @type = "REPORT" and @log like /sweep-|reconcile-/ | stats count(*) as runs by @log, bin(15m) | sort @log desc',
  },
  quarantined: {
    page: 'A job or an event has been quarantined',
    text: 'filter message in ["row quarantined", "row not advanced", "money not released"] | fields @timestamp, message, row_id, job_id, reason, error.message | sort @timestamp desc',
  },
  'unreadable-rows': {
    page: 'A row cannot be read',
    text: 'filter message = "row cannot be read" | stats count(*) as rows by service | sort rows desc',
  },
  contradictions: {
    page: 'Rows contradict each other',
    text: 'filter message = "contradiction" | fields @timestamp, audit, row_id, problem, outcome | sort @timestamp desc',
  },
  'refused-keys': {
    page: 'A provider refuses the stage’s key',
    text: 'filter kind = "credential" and is_byok = 0 | stats count(*) as refusals by provider, reason | sort refusals desc',
  },
  'lost-jobs': {
    page: 'A provider fails',
    text: 'filter message = "job settled" and outcome in ["failed", "expired"] | stats count(*) as jobs by provider, failure | sort jobs desc',
  },
  'failed-submits': {
    page: 'A provider fails',
    text: 'filter message in ["submit failed", "poll failed", "copy failed"] | stats count(*) as failures by provider, kind, reason | sort failures desc',
  },
  callbacks: {
    page: 'A provider’s callbacks have stopped',
    text: 'filter message = "callback received" | stats count(*) as callbacks by provider, is_of_use',
  },
  underpriced: {
    page: 'A provider charges more than the catalogue says',
    text: 'filter message = "provider charged more than was held" | stats count(*) as jobs, sum(upstream_cost_micros - cost_micros) / 1000000 as dollars by model',
  },
  'refused-by-tables': {
    page: 'A table is throttled',
    text: 'filter @message like /ProvisionedThroughputExceeded|ThrottlingException|RequestLimitExceeded/ | stats count(*) as refusals by service | sort refusals desc',
  },
  'upload-server-starts': {
    page: 'The upload server is down',
    text: 'filter message in ["upload server is listening", "upload server has stopped"] or level = "ERROR" | fields @timestamp, message, error.message | sort @timestamp desc',
  },
  'upload-server-errors': {
    page: 'The upload server fails',
    text: 'filter service = "upload-server" and level = "ERROR" | stats count(*) as failures by message, error.name | sort failures desc',
  },
  'what-a-key-did': {
    page: STOLEN_KEY,
    text: 'filter message = "request answered" and key_hash = "KEY_HASH" | fields @timestamp, address, route, object, workspace_id, status, session_hash, request_id | sort @timestamp desc',
  },
  'where-a-key-was': {
    page: STOLEN_KEY,
    text: 'filter message = "request answered" and key_hash = "KEY_HASH" | stats count(*) as requests, min(@timestamp) as first, max(@timestamp) as last by address, object | sort last desc',
  },
  'who-read-an-object': {
    page: STOLEN_KEY,
    text: 'filter object like "OBJECT" or `cs-uri-stem` like "OBJECT" | fields @timestamp, key_hash, session_hash, address, route, status, `c-ip`, `cs-method`, `sc-status` | sort @timestamp desc',
  },
};

/** The name under which a stage saves a query. */
export const savedAs = (config: Pick<StageConfig, 'name' | 'own'>, name: string): string =>
  `${config.own.namePrefix}/${config.name}/${name}`;
