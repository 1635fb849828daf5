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
      'What functions log besides one line for each request, which is also its metric.',
    ),
    'INFO',
  ),
  accessLog: v.optional(
    told(
      v.boolean(),
      'Logs one line for each request that reaches API Gateway, whether a function answers it or not. This needs, and sets, the account’s role for such logs.',
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
          told(
            v.array(field.alarmTarget),
            'Gets urgent alarms at any time: callers notice the problem now, or data is at risk.',
          ),
          [],
        ),
        ticket: v.optional(told(v.array(field.alarmTarget), 'Gets alarms for working hours.'), []),
      }),
      'Who gets alarms: email addresses, https addresses, ARNs of SNS topics. Each list has its own topic.',
    ),
    { page: [], ticket: [] },
  ),
  canary: v.optional(
    told(
      v.boolean(),
      'Whether a function calls the stage every five minutes as a caller would: it uploads a file and, if the stage offers the sandbox, makes a video and receives its webhook. It needs an address for callers (this stack’s edge or a `domain`), and a key from `admin create-canary-key`.',
    ),
    true,
  ),
  deployments: v.optional(
    told(
      v.picklist(['all-at-once', 'canary']),
      'How new code of the API, the poller and the deliverer is deployed: at once, or with a tenth of the calls for five minutes and an automatic rollback if an alarm fires in that time.',
    ),
    'all-at-once',
  ),
};
