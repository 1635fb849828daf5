import * as v from 'valibot';
import * as field from '../fields.ts';
import { told } from '../told.ts';

export const operations = {
  logRetentionDays: v.optional(
    told(v.picklist([1, 7, 14, 30, 90, 365]), 'For how many days logs are kept.'),
    90,
  ),
  logLevel: v.optional(
    told(
      v.picklist(['DEBUG', 'INFO', 'WARN', 'ERROR']),
      'What functions log, besides a line for each request, which is also its metric.',
    ),
    'INFO',
  ),
  accessLog: v.optional(
    told(
      v.boolean(),
      'A line for each request that reaches API Gateway, answered by a function or not. It needs, and sets, the account’s role for such logs.',
    ),
    true,
  ),
  tracing: v.optional(
    told(
      v.boolean(),
      'X-Ray traces of requests, from API Gateway through the functions. AWS bills each trace that it records.',
    ),
    false,
  ),
  alarms: v.optional(
    told(
      v.strictObject({
        page: v.optional(
          told(v.array(field.alarmTarget), 'Who is woken up: callers are hurt now, or data is at risk.'),
          [],
        ),
        ticket: v.optional(told(v.array(field.alarmTarget), 'Who looks at it in working hours.'), []),
      }),
      'Who is told of alarms: email addresses, https addresses, ARNs of SNS topics. Each list has a topic of its own.',
    ),
    { page: [], ticket: [] },
  ),
  canary: v.optional(
    told(
      v.boolean(),
      'Whether a function calls the stage as a caller would, every five minutes: it uploads a file, and where the stage offers the sandbox makes a video and receives its webhook. It needs an address of callers, this stack’s edge or a `domain`, and a key from `admin create-canary-key`.',
    ),
    true,
  ),
  deployments: v.optional(
    told(
      v.picklist(['all-at-once', 'canary']),
      'How new code of the API, the poller and the deliverer takes over: at once, or a tenth of the calls for five minutes, and back by itself where an alarm fires meanwhile.',
    ),
    'all-at-once',
  ),
};
