import * as v from 'valibot';
import { changedFieldSchema } from './changed-fields.ts';

/** One change, or read of what a workspace keeps private, that was asked for with a management key. */
export const auditEntrySchema = v.object({
  at: v.pipe(v.string(), v.description('When it was asked for')),
  action: v.pipe(v.string(), v.description('What was asked for, such as `create-key`')),
  target: v.pipe(
    v.record(v.string(), v.string()),
    v.description('The parameters in the path, the workspace that was named, and the `id` of a query'),
  ),
  fields: v.pipe(v.array(v.string()), v.description('The names of the fields that were sent')),
  changes: v.pipe(
    v.optional(v.array(changedFieldSchema), []),
    v.description(
      'The settings that it has changed, with their values before and since. Names, texts, addresses, prompts and keys are left out',
    ),
  ),
  key_hash: v.pipe(v.string(), v.description('The management key that asked')),
  request_id: v.pipe(v.string(), v.description('The `x-request-id` of the answer')),
  status: v.pipe(
    v.nullable(v.number()),
    v.description(
      'The status of the answer; null where there was none, and nobody knows whether the change took effect',
    ),
  ),
});
export type AuditEntry = Readonly<v.InferOutput<typeof auditEntrySchema>>;
