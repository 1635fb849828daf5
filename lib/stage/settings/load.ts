import * as v from 'valibot';
import * as field from '../fields.ts';
import { told } from '../told.ts';

export const load = {
  requestsPerMinute: v.optional(
    told(
      v.strictObject({
        upload: told(field.requestRate, 'Uploads.'),
        submit: told(field.requestRate, 'Submits of videos.'),
        read: told(field.requestRate, 'Whatever only reads.'),
        admin: told(field.requestRate, 'Changes with a management key.'),
      }),
      'What a key may do a minute in each class of operations, unless it has rates of its own.',
    ),
    { upload: 60, submit: 60, read: 600, admin: 120 },
  ),
  pollerConcurrency: v.optional(
    told(
      field.consumers,
      'How many pollers work at once; the first limit on what all providers together are asked for.',
    ),
    50,
  ),
  copierConcurrency: v.optional(
    told(
      field.consumers,
      'How many results are copied at once: each copier is at one, for 15 minutes at most.',
    ),
    50,
  ),
  delivererConcurrency: v.optional(
    told(
      field.consumers,
      'How many deliverers of webhooks work at once. One workspace gets half of them at most.',
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
      'What of the account’s concurrency is kept for the consumers alone, so that no flood of requests starves them. A new account has 10 in all, of which none can be kept.',
    ),
    {},
  ),
};
