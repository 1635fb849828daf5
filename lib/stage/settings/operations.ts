import * as v from 'valibot';
import * as field from './fields.ts';
import { told } from './fields.ts';

export const operations = {
  strict: v.optional(
    told(
      v.boolean(),
      'Whether Genway refuses unknown fields and query parameters with a 400 that names them, instead of a warning. `x-genway-strict: true` or `false` overrides it for one request. The setting does not apply to operations that need no key, or to requests from LiteLLM or the OpenAI and Anthropic client libraries, which send their own fields.',
    ),
    false,
  ),
  approvals: v.optional(
    told(
      v.boolean(),
      'Whether a new management key, or a change to the catalogue other than a pause, waits until a second management key [approves it](keys.md#have-a-second-key-approve).',
    ),
    false,
  ),
  logRetentionDays: v.optional(
    told(
      v.picklist([
        1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288,
        3653,
      ]),
      'Number of days to keep logs.',
    ),
    90,
  ),
  logLevel: v.optional(
    told(
      v.picklist(['DEBUG', 'INFO', 'WARN', 'ERROR']),
      'What functions log in addition to one line for each request, which is also its metric, and one line for each entry of the audit trail.',
    ),
    'INFO',
  ),
  accessLog: v.optional(
    told(
      v.boolean(),
      'Whether to log one line for each request that reaches API Gateway, even if no function handles it. This needs, and sets, the account’s role for access logs.',
    ),
    true,
  ),
  downloadLog: v.optional(
    told(
      v.boolean(),
      'Whether to log one line for each download through CloudFront, with its time, IP address, and file or video. CloudFormation can only set this up in us-east-1. AWS bills the lines as vended logs.',
    ),
    false,
  ),
  auditExportDays: v.exactOptional(
    told(
      field.lockDays,
      'Copies each day of the audit trail to a separate bucket, an hour after the day ends in UTC. For this number of days nobody can change or delete a copy, not even the account’s root user (S3 Object Lock in compliance mode). The first run copies the last seven days. A run that fails raises an alarm, and later ones try again for a week. The bucket outlives the stack. Without this setting, there is no copy.',
    ),
  ),
  tracing: v.optional(
    told(
      v.boolean(),
      'Whether AWS records X-Ray traces of requests, from API Gateway through the functions. AWS bills each recorded trace.',
    ),
    false,
  ),
  alarms: v.optional(
    told(
      v.strictObject({
        page: v.optional(
          told(
            v.array(field.alarmTarget),
            'Recipients of urgent alarms at any time: callers notice the problem now, or data is at risk.',
          ),
          [],
        ),
        ticket: v.optional(
          told(v.array(field.alarmTarget), 'Recipients of alarms that can wait for working hours.'),
          [],
        ),
      }),
      'Recipients of alarms: email addresses, https URLs or ARNs of SNS topics. Each list has its own topic.',
    ),
    { page: [], ticket: [] },
  ),
  canary: v.optional(
    told(
      v.boolean(),
      'Whether a function calls the stage every five minutes as a caller would: it uploads a file (once an hour, a large one), and if the stage offers the sandbox, creates a video and receives its webhook. It needs a URL for callers (this stack’s edge or a `domain`), and a key from `admin create-canary-key`.',
    ),
    true,
  ),
  deployments: v.optional(
    told(
      v.picklist(['all-at-once', 'canary']),
      'How to deploy new code of the API, the poller and the deliverer: all at once, or with a tenth of the calls for five minutes and an automatic rollback if an alarm fires in that time.',
    ),
    'all-at-once',
  ),
};

export const load = {
  requestsPerMinute: v.optional(
    told(
      v.strictObject({
        upload: told(
          field.requestRate,
          'File uploads per minute. Each request of an upload in parts counts, except its cancellation.',
        ),
        submit: told(field.requestRate, 'Submissions, edits, extensions, remixes and estimates per minute.'),
        read: told(
          field.requestRate,
          'Reads, cancellations, session renewals, redeliveries with `POST /videos/{video}/webhook/redeliver`, and deletions of jobs and files, per minute.',
        ),
        admin: told(
          field.requestRate,
          'New sessions and management requests per minute, except reads and the creation of workspaces.',
        ),
      }),
      'Maximum number of requests per minute per key for each class of operations, unless the key has its own rate limits.',
    ),
    { upload: 60, submit: 60, read: 600, admin: 120 },
  ),
  submitterConcurrency: v.optional(
    told(
      field.consumers,
      'Number of submitters that can run at once. They submit jobs to providers. One workspace gets at most two fifths of them.',
    ),
    50,
  ),
  pollerConcurrency: v.optional(
    told(
      field.consumers,
      'Number of pollers that can run at once. Together with the submitters, this limits the requests to all providers.',
    ),
    50,
  ),
  copierConcurrency: v.optional(
    told(
      field.consumers,
      'Number of copiers that can run at once. Each copies one result, for 15 minutes at most. Results that take more than 10 s can occupy at most two fifths of the copiers for one workspace, and four fifths for one provider.',
    ),
    50,
  ),
  delivererConcurrency: v.optional(
    told(
      field.consumers,
      'Number of deliverers of webhooks that can run at once. One workspace gets at most a third of them.',
    ),
    50,
  ),
  reservedConcurrency: v.optional(
    told(
      v.strictObject({
        submitter: v.exactOptional(told(field.consumers, 'At least `submitterConcurrency`.')),
        poller: v.exactOptional(told(field.consumers, 'At least `pollerConcurrency`.')),
        copier: v.exactOptional(told(field.consumers, 'At least `copierConcurrency`.')),
        deliverer: v.exactOptional(told(field.consumers, 'At least `delivererConcurrency`.')),
      }),
      'How much of the account’s concurrency to reserve for each consumer, so that a flood of requests cannot starve it. A new account has 10 in total and cannot reserve any.',
    ),
    {},
  ),
};
