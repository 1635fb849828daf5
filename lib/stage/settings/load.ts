import * as v from 'valibot';
import * as field from '../fields.ts';
import { told } from '../told.ts';

export const load = {
  requestsPerMinute: v.optional(
    told(
      v.strictObject({
        upload: told(field.requestRate, 'Uploads.'),
        submit: told(field.requestRate, 'Submits of videos.'),
        read: told(field.requestRate, 'Requests that only read.'),
        admin: told(field.requestRate, 'Changes with a management key.'),
      }),
      'How many requests a key may send in a minute for each class of operations, unless the key has its own rates.',
    ),
    { upload: 60, submit: 60, read: 600, admin: 120 },
  ),
  pollerConcurrency: v.optional(
    told(
      field.consumers,
      'How many pollers work at once. This limits the requests to all providers together.',
    ),
    50,
  ),
  copierConcurrency: v.optional(
    told(
      field.consumers,
      'How many results are copied at once. Each copier works on one result, for 15 minutes at most.',
    ),
    50,
  ),
  delivererConcurrency: v.optional(
    told(
      field.consumers,
      'How many deliverers of webhooks work at once. One workspace gets at most half of them.',
    ),
    50,
  ),
  reservedConcurrency: v.optional(
    told(
      v.strictObject({
        poller: v.exactOptional(told(field.consumers, 'At least `pollerConcurrency`.')),
        copier: v.exactOptional(told(field.consumers, 'At least `copierConcurrency`.')),
        deliverer: v.exactOptional(told(field.consumers, 'At least `delivererConcurrency`.')),
      }),
      'How much of the account’s concurrency is reserved for each consumer, so that a flood of requests cannot starve it. A new account has 10 in total, and cannot reserve any.',
    ),
    {},
  ),
};
